import { type AppProcess, startApp } from '@switchyard/test-kit';
import type { ReplyRecord } from '../../src/log/reply-record.ts';
import { CHECKED_IN } from '../cassettes.ts';

export interface StartVcrOptions {
  /** Added to a config that plays the checked-in cassettes on a free port. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The built app as a process, with the checked-in cassettes. */
export function startVcrProcess(options: StartVcrOptions = {}): Promise<AppProcess> {
  const { args = [], env = {} } = options;
  return startApp({ app: 'vcr-backend', config: vcrConfig(options.config), args, env });
}

/** A config that plays the checked-in cassettes on a free port. */
export function vcrConfig(more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { listen: { port: 0 }, cassettes: CHECKED_IN, ...more };
}

/** The reply lines on stdout so far. */
export function replyLines(app: AppProcess): ReplyRecord[] {
  return app.stdout
    .map((line) => JSON.parse(line) as ReplyRecord & { event: string })
    .filter((line) => line.event === 'reply');
}

/** The demo's question. */
export function ask(content = 'Which site answers?', more: object = {}): Record<string, unknown> {
  return { model: 'demo-model', messages: [{ role: 'user', content }], ...more };
}
