// Makes the pictures in docs/images anew, from a real run of the demo: pnpm --filter demo-provider-traffic screenshots
// (after pnpm build; needs chromium on the PATH).
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { launchChromium } from '@switchyard/test-kit';

const IMAGES = fileURLToPath(new URL('../../../docs/images/', import.meta.url));
const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

const folder = await mkdtemp(join(tmpdir(), 'screenshots-'));
// From inside the folder, so that the pictures show no path of this machine.
const demo = spawn(process.execPath, [MAIN, '--ui', '--out', 'proof'], {
  stdio: ['ignore', 'pipe', 'inherit'],
  cwd: folder,
  env: { ...process.env, INIT_CWD: folder },
});
const ended = new Promise((resolve) => demo.once('close', resolve));
const browser = await launchChromium();
try {
  const url = await linkOf(demo);
  await picture({ name: 'page-light', url, hash: '#request=17', colorScheme: 'light' });
  await picture({ name: 'page-dark', url, hash: '#request=17', colorScheme: 'dark' });
  await picture({ name: 'page-narrow', url, hash: '', width: 390, height: 1160, colorScheme: 'light' });
  await picture({
    name: 'page-drained',
    url,
    hash: '',
    colorScheme: 'light',
    height: 1130,
    act: drainAndKill,
  });
} finally {
  demo.kill('SIGINT');
  await ended;
  await browser.close();
  await rm(folder, { recursive: true });
}

/** Opens the page, waits for the verdict, does what shall be seen and takes the picture. */
async function picture({ name, url, hash, colorScheme, width = 1440, height = null, act = async () => {} }) {
  const context = { viewport: { width, height: height ?? 900 }, colorScheme };
  const page = await browser.newPage({ ...context, reducedMotion: 'reduce' });
  page.setDefaultTimeout(60_000);
  await page.goto(`${url}${hash}`);
  await page.locator('.word.passed').waitFor();
  if (hash !== '') await page.locator('.step:not(.none)').nth(4).waitFor();
  await act(page);
  await page.screenshot({ path: join(IMAGES, `${name}.png`), fullPage: height === null });
  await page.close();
  console.log(`docs/images/${name}.png`);
}

/** Traffic flows, one provider drains, a broken overlay is refused and another provider is gone. */
async function drainAndKill(page) {
  const press = (group, button) =>
    page.getByRole('group', { name: group }).getByRole('button', { name: button }).click();
  const told = (text) => page.locator('.told', { hasText: text }).waitFor();
  await press('Traffic', 'Steady traffic');
  await page.locator('.sequence li').nth(17).waitFor();
  await press('provider-b', 'Drain');
  await told('drains');
  await page.locator('.sequence li').nth(35).waitFor();
  await press('provider-c', 'Kill');
  await told('was killed');
  await page.locator('.sequence li').nth(70).waitFor();
}

function linkOf({ stdout }) {
  return new Promise((resolve, reject) => {
    createInterface({ input: stdout }).on('line', (line) => {
      const link = /^Watch it {2}(http:\S+)/.exec(line)?.[1];
      if (link !== undefined) resolve(link);
    });
    stdout.once('end', () => reject(new Error('the demo ended without a link')));
  });
}
