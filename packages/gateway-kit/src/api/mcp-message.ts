import { type ScannedValue, scanTopLevelKeys } from '@switchyard/proxy-core-http';

/** One JSON-RPC message of MCP, as far as routing needs it. */
export interface McpMessage {
  /** Undefined for a response of the client to a request of the server. */
  readonly method: string | undefined;
  /** The JSON text of the id; undefined when there is none, or it is neither string nor number. */
  readonly id: string | undefined;
  /** What `Mcp-Name` repeats: the tool, prompt, resource or task; undefined when the method has no such thing. */
  readonly subject: ScannedValue | undefined;
}

/** A message, or why the bytes are none. */
export type McpMessageResult =
  | { readonly ok: true; readonly message: McpMessage }
  | {
      readonly ok: false;
      readonly reason: string;
      readonly isJson: boolean;
      readonly id: string | undefined;
    };

/** Where a method names its subject: the fields that `Mcp-Name` repeats (MCP 2026-07-28, SEP-2243 and SEP-2663). */
const SUBJECT_FIELDS: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** Reads one message by a byte scan; arguments of any size are only jumped over. */
export function readMcpMessage(bytes: Buffer): McpMessageResult {
  const scan = scanTopLevelKeys(bytes, ['jsonrpc', 'id', 'method', 'params']);
  if (scan.kind === 'malformed')
    return { ok: false, reason: `${scan.message} (at byte ${scan.offset})`, isJson: false, id: undefined };
  const [version, idValue, method, params] = scan.values;
  const id = idText(bytes, idValue);
  const wrong = (reason: string): McpMessageResult => ({ ok: false, reason, isJson: true, id });
  if (scan.repeated !== undefined) return wrong(`"${scan.repeated}" stands twice, or in other case`);
  if (version?.kind !== 'string' || version.value !== '2.0') return wrong('"jsonrpc" must be "2.0"');
  if (method === undefined) return { ok: true, message: { method, id, subject: undefined } };
  if (method.kind !== 'string') return wrong(`"method" must be a string, found ${method.kind}`);
  const field = SUBJECT_FIELDS.get(method.value);
  const subject =
    field === undefined || params?.kind !== 'object' ? undefined : fieldOf(bytes, params, field);
  if (subject === 'repeated') return wrong(`"params" names its "${field}" more than once`);
  return { ok: true, message: { method: method.value, id, subject } };
}

function fieldOf(
  bytes: Buffer,
  { start, end }: { start: number; end: number },
  field: string,
): ScannedValue | undefined | 'repeated' {
  const scan = scanTopLevelKeys(bytes.subarray(start, end), [field]);
  if (scan.kind === 'malformed') return undefined;
  return scan.repeated === undefined ? scan.values[0] : 'repeated';
}

/** A number is kept as it is written: it may be longer than a double. */
function idText(bytes: Buffer, id: ScannedValue | undefined): string | undefined {
  if (id?.kind === 'string') return JSON.stringify(id.value);
  return id?.kind === 'number' ? bytes.toString('latin1', id.start, id.end) : undefined;
}
