import type { Nearest } from '../match/nearest.ts';

/** Closed list of the codes in the server's own error replies. */
type RefusalCode =
  | 'vcr_miss'
  | 'invalid_json'
  | 'json_too_deep'
  | 'request_too_large'
  | 'unknown_path'
  | 'method_not_allowed'
  | 'internal_error';

/** An error reply of the server itself, before it is written in OpenAI's shape. */
export interface Refusal {
  readonly status: number;
  readonly code: RefusalCode;
  readonly message: string;
  /** The place in the request body that is at fault, such as `messages[0].content`. */
  readonly param: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** 404: no cassette answers this body. Names the nearest one and where it first differs. */
export function missRefusal(route: string, nearest: Nearest): Refusal {
  const { cassette, first, count } = nearest;
  const others = count > 1 ? ` and ${count - 1} more` : '';
  const where = first === undefined || first.path === '' ? 'the body' : shortened(first.path);
  const detail = `expected ${first?.expected ?? 'nothing'}, found ${first?.found ?? 'nothing'}`;
  return refusal(404, 'vcr_miss', {
    message: `No cassette matches this ${route}. The nearest is ${JSON.stringify(cassette.id)}; first difference at ${where}: ${detail}${others}. Send the recorded request, or add a cassette for this one.`,
    param: where === 'the body' ? null : where,
  });
}

/** Longest path in a reply, in characters: the keys in it are the client's, and may be as long as a body. */
const PATH_CHARS_MAX = 200;

function shortened(path: string): string {
  return path.length <= PATH_CHARS_MAX ? path : `${path.slice(0, PATH_CHARS_MAX)}...`;
}

/** 404: no cassette has this path. */
export function unknownPathRefusal(path: string, known: Iterable<string>): Refusal {
  return refusal(404, 'unknown_path', {
    message: `No cassette answers ${shortened(path)}. Known paths: ${[...known].sort().join(', ')}, /v1/models, /health.`,
  });
}

/** 405: the path is known, the method is not. */
export function methodRefusal(method: string, path: string, allowed: readonly string[]): Refusal {
  return refusal(405, 'method_not_allowed', {
    message: `No cassette answers ${method} ${path}. Use ${allowed.join(' or ')}.`,
    headers: { allow: allowed.join(', ') },
  });
}

/** 400: the body is not JSON. */
export function invalidJsonRefusal(reason: string): Refusal {
  return refusal(400, 'invalid_json', { message: `The request body is not valid JSON: ${reason}` });
}

/** 400: the body nests too deeply to be compared. */
export function tooDeepRefusal(levels: number): Refusal {
  return refusal(400, 'json_too_deep', { message: `The request body nests deeper than ${levels} levels.` });
}

/** 413: the body is over the limit. Closes the connection, whose rest would be thrown away. */
export function tooLargeRefusal(bytesMax: number): Refusal {
  return refusal(413, 'request_too_large', {
    message: `The request body is larger than ${bytesMax} bytes.`,
    headers: { connection: 'close' },
  });
}

/** 500: a fault of this program. */
export function internalRefusal(): Refusal {
  return refusal(500, 'internal_error', {
    message: 'The replay failed inside the server; its log says why.',
  });
}

function refusal(
  status: number,
  code: RefusalCode,
  rest: { message: string; param?: string | null; headers?: Readonly<Record<string, string>> },
): Refusal {
  return { status, code, message: rest.message, param: rest.param ?? null, headers: rest.headers ?? {} };
}
