import { styleText } from 'node:util';

/** How a text stands out. */
type Style = 'green' | 'red' | 'yellow' | 'cyan' | 'bold' | 'dim';

/** A stream on which the command talks to people. */
export interface Screen {
  /** One line, or several that a line break parts. */
  line(text?: string): void;
  /** A suggestion for people: on a terminal only. */
  tip(text: string): void;
  paint(style: Style, text: string): string;
  /** Columns of the terminal; infinite when the stream is none, so that nothing is wrapped for a program. */
  readonly width: number;
}

/** What a screen is made for. */
export interface ScreenOptions {
  readonly stream: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
  /** False with `--no-color`. */
  readonly color: boolean;
  /** Whether everything is swallowed, as answers are with `--quiet`. */
  readonly quiet: boolean;
}

/** Narrower terminals are treated as this wide. */
const WIDTH_MIN = 40;

/** Colours follow `--no-color`, NO_COLOR, TERM=dumb and whether the stream is a terminal. */
export function createScreen({ stream, env, color, quiet }: ScreenOptions): Screen {
  const terminal = stream.isTTY === true;
  const colours = terminal && color && env['TERM'] !== 'dumb' && (env['NO_COLOR'] ?? '') === '';
  const paint = (style: Style, text: string): string =>
    colours ? styleText(style, text, { validateStream: false }) : text;
  const line = (text = ''): void => {
    if (!quiet) stream.write(`${text}\n`);
  };
  return {
    line,
    tip(text) {
      if (terminal) line(paint('dim', text));
    },
    paint,
    width: terminal ? Math.max(WIDTH_MIN, stream.columns || 80) : Number.POSITIVE_INFINITY,
  };
}
