import { styleText } from 'node:util';

/** Where the demo talks to people: colours and a live line on a terminal, plain lines elsewhere, silence with --json. */
export interface Screen {
  /** A line that stays. */
  line(text?: string): void;
  /** The live line: overwritten by the next one, shown on a terminal only. */
  live(text: string): void;
  paint(style: 'green' | 'red' | 'yellow' | 'cyan' | 'bold' | 'dim', text: string): string;
}

/** What a screen is made for. */
export interface ScreenOptions {
  readonly stream: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
  readonly silent: boolean;
}

/** Colours follow NO_COLOR, TERM=dumb and whether the stream is a terminal. */
export function createScreen({ stream, env, silent }: ScreenOptions): Screen {
  const terminal = stream.isTTY === true && env['TERM'] !== 'dumb';
  const colours = terminal && (env['NO_COLOR'] ?? '') === '';
  let live = false;
  const clear = (): void => {
    if (live) stream.write('\r\u001b[2K');
    live = false;
  };
  return {
    line(text = '') {
      if (silent) return;
      clear();
      stream.write(`${text}\n`);
    },
    live(text) {
      if (silent || !terminal) return;
      stream.write(`\r\u001b[2K${text}`);
      live = true;
    },
    paint: (style, text) => (colours ? styleText(style, text) : text),
  };
}
