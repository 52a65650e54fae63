import { headerValues } from '../http/raw-headers.ts';
import { type AskedResult, type AskingRequest, problem, quoted } from './asked.ts';

type Refusal = Extract<AskedResult, { ok: false }>;

/**
 * Charsets in which the bytes of ASCII are ASCII. In others (UTF-7, EBCDIC, `unicode_escape` of Python) a server that
 * obeys the label would read other JSON than the one that was judged here.
 */
const PLAIN_CHARSETS: ReadonlySet<string> = new Set([
  'utf-8',
  'utf8',
  'us-ascii',
  'ascii',
  'iso-8859-1',
  'latin1',
  'windows-1252',
]);

/**
 * Whether a body is labelled as what it was not read as: a server that goes by the label would find another model than
 * the one that was routed and allowed. Undefined when it is not.
 *
 * `application/x-www-form-urlencoded` is let through where no server takes forms: it is what curl says of every body.
 */
export function mislabelledBody({ headers, route }: AskingRequest): Refusal | undefined {
  const { askedIn } = route;
  if (askedIn === 'stored_response') return undefined;
  const otherForm = askedIn === 'form' ? /^\s*application\/x-www-form-urlencoded/i : /^\s*multipart\//i;
  const refuse = (what: string): Refusal =>
    problem(askedIn === 'form' ? 'invalid_form' : 'invalid_json', `the request body ${what}`, {
      rpcId: askedIn === 'mcp' ? 'null' : undefined,
    });
  for (const type of headerValues(headers, 'content-type')) {
    if (otherForm.test(type)) return refuse(`cannot be read as ${quoted(type)} on this path`);
    for (const [, charset = ''] of type.matchAll(/charset\s*=\s*["']?([^\s;,"']*)/gi)) {
      if (!PLAIN_CHARSETS.has(charset.toLowerCase()))
        return refuse(`is labelled with the charset ${quoted(charset)}; send UTF-8`);
    }
  }
  return undefined;
}

/**
 * Why a body cannot be read for its `content-encoding`; undefined when it has none. Nothing is decoded here, so that
 * nobody sends a kilobyte that becomes a gigabyte.
 */
export function encodedBody(headers: readonly string[]): string | undefined {
  const encoding = headerValues(headers, 'content-encoding').join(', ').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return undefined;
  return `the request body is encoded as "${encoding.slice(0, 100)}"; send it without content-encoding, so that its "model" can be read`;
}
