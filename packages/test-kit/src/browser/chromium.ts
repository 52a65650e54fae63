import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** For a machine without a sandbox or a graphics card, quiet, and talking to nobody. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-extensions',
  '--disable-background-networking',
  '--mute-audio',
  '--hide-scrollbars',
];

/** What the name of a skipped suite says. */
export const NO_CHROMIUM = 'no chromium on the PATH; REQUIRE_BROWSER=1 makes that a failure';

/**
 * The browser of this machine: the file that `CHROMIUM` names, else the first of chromium and Chrome on the PATH; null
 * when there is none.
 *
 * @throws Error when there is none and `REQUIRE_BROWSER` is `1`.
 */
export function chromiumPath(env: NodeJS.ProcessEnv = process.env): string | null {
  const folders = (env['PATH'] ?? '').split(delimiter);
  const places = [
    env['CHROMIUM'] ?? '',
    ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
  ];
  const found = places.find((place) => place !== '' && isExecutable(place));
  if (found === undefined && env['REQUIRE_BROWSER'] === '1')
    throw new Error('REQUIRE_BROWSER=1, but there is no chromium: install it, or name it in CHROMIUM');
  return found ?? null;
}

/**
 * Starts the machine's browser without a window.
 *
 * @throws Error when there is none.
 */
export async function launchChromium(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === null) throw new Error(NO_CHROMIUM);
  // Loaded here and not above: only the tests of pages shall pay for it.
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath, headless: true, args: FLAGS });
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
