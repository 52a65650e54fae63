import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '../temp-dir.ts';

/** What {@link makeCertificates} makes. */
export interface CertificateOptions {
  /** Name of each certificate, and of the authority that signs it. */
  readonly signed: Readonly<Record<string, string>>;
  /** Subject alternative names, as openssl writes them. Default `IP:127.0.0.1,DNS:localhost`. */
  readonly altNames?: string;
}

/** Whether certificates can be made here: openssl may be missing on a machine with only Node. */
export function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes authorities and certificates signed by them as `NAME.pem` and `NAME.key`, fresh for this run and good for two
 * days: no key lies in the repository.
 *
 * @throws Error when openssl is missing or fails.
 */
export async function makeCertificates(directory: string, options: CertificateOptions): Promise<void> {
  const run = (...args: string[]): void =>
    void execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });
  const newKey = ['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  for (const ca of new Set(Object.values(options.signed))) {
    run(...newKey, '-x509', '-days', '2', '-subj', `/CN=${ca}`, '-keyout', `${ca}.key`, '-out', `${ca}.pem`);
  }
  const altNames = options.altNames ?? 'IP:127.0.0.1,DNS:localhost';
  await writeFile(join(directory, 'san.cnf'), `subjectAltName=${altNames}\n`);
  for (const [name, ca] of Object.entries(options.signed)) {
    run(...newKey, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`);
    const sign = ['x509', '-req', '-days', '2', '-CA', `${ca}.pem`, '-CAkey', `${ca}.key`, '-CAcreateserial'];
    run(...sign, '-extfile', 'san.cnf', '-in', `${name}.csr`, '-out', `${name}.pem`);
  }
}

/** A key, its certificate and the authority to trust for it, all PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
  readonly ca: string;
}

/**
 * One certificate for localhost, in memory.
 *
 * @throws Error when openssl is missing or fails.
 */
export async function localhostCertificate(): Promise<Certificate> {
  await using dir = await tempDir();
  await makeCertificates(dir.path, { signed: { localhost: 'ca' } });
  const read = (file: string): Promise<string> => readFile(join(dir.path, file), 'utf8');
  return { key: await read('localhost.key'), cert: await read('localhost.pem'), ca: await read('ca.pem') };
}
