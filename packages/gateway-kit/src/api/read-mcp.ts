import { joinedBody, scanArrayElements } from '@switchyard/proxy-core-http';
import { type AskedResult, type AskingRequest, NAME_BYTES_MAX, problem, quoted } from './asked.ts';
import { type McpHeaders, readMcpHeaders } from './mcp-headers.ts';
import { type McpMessage, readMcpMessage } from './mcp-message.ts';
import { stateKey } from './state-key.ts';

const TOOL_CALL = 'tools/call';
/** Opens the stream of the server (2026-07-28), as GET did before. */
const LISTEN = 'subscriptions/listen';

/** Requests that a second provider may answer although a first one may have, too: they only ask, or begin. */
const REPEATABLE: ReadonlySet<string> = new Set([
  LISTEN,
  'initialize',
  'server/discover',
  'ping',
  'tools/list',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'completion/complete',
]);

/** Longest batch, in bytes: each of its messages is looked at, and nobody needs so many. */
const BATCH_BYTES_MAX = 1_048_576;

type Refusal = Extract<AskedResult, { ok: false }>;

/** What all messages of one request ask for together. */
interface Called {
  readonly tool: string | undefined;
  readonly openEnded: boolean;
  readonly repeatable: boolean;
  readonly rpcId: string | undefined;
}

/**
 * What a request of MCP's Streamable HTTP asks for: a tool when it calls one, else no more than the provider of its
 * session. Headers of revision 2026-07-28 must agree with the body.
 */
export function readMcp(request: AskingRequest): AskedResult {
  const read = readMcpHeaders(request.headers);
  if (!read.ok) return problem('header_mismatch', read.message, { rpcId: 'null' });
  const { headers } = read;
  const called =
    request.method === 'POST' ? readPosted(joinedBody(request.body), headers) : bodiless(request.method);
  if ('ok' in called) return called;
  const { session } = headers;
  return {
    ok: true,
    asked: {
      kind: 'mcp_tool',
      name: called.tool,
      stateKey: session === undefined ? undefined : stateKey('mcp_session', session),
      streamed: called.openEnded,
      openEnded: called.openEnded,
      repeatable: called.repeatable,
      rpcId: called.rpcId ?? 'null',
    },
  };
}

/** GET opens the stream of the server, DELETE ends a session. */
function bodiless(method: string): Called {
  return { tool: undefined, openEnded: method === 'GET', repeatable: true, rpcId: undefined };
}

function readPosted(body: Buffer, headers: McpHeaders): Called | Refusal {
  const batch = isArray(body);
  if (batch && headers.method !== undefined) {
    const message =
      'Mcp-Method stands beside a batch; send its messages one by one, or leave the header away';
    return problem('header_mismatch', message, { rpcId: 'null' });
  }
  return batch ? readBatch(body) : readSingle(body, headers);
}

function readSingle(body: Buffer, headers: McpHeaders): Called | Refusal {
  const read = readMcpMessage(body);
  if (!read.ok) {
    const what = body.length === 0 ? 'the request has no body; expected a JSON-RPC message' : undefined;
    const message = what ?? `the request body is not a JSON-RPC message: ${read.reason}`;
    return problem(read.isJson ? 'invalid_message' : 'invalid_json', message, { rpcId: read.id ?? 'null' });
  }
  return disagreement(read.message, headers) ?? call(read.message);
}

function readBatch(body: Buffer): Called | Refusal {
  const refuse = (message: string): Refusal => problem('invalid_message', message, { rpcId: 'null' });
  if (body.length > BATCH_BYTES_MAX) return refuse(`a batch must be at most ${BATCH_BYTES_MAX} bytes long`);
  const scan = scanArrayElements(body);
  if (scan.kind === 'malformed') {
    const message = `the request body is not a JSON array: ${scan.message} (at byte ${scan.offset})`;
    return problem('invalid_json', message, { rpcId: 'null' });
  }
  const { elements } = scan;
  if (elements.length === 0) return refuse('the batch is empty');
  let together: Called = { tool: undefined, openEnded: false, repeatable: true, rpcId: undefined };
  for (const [index, { start, end }] of elements.entries()) {
    const read = readMcpMessage(body.subarray(start, end));
    if (!read.ok) return refuse(`message ${index} of the batch is no JSON-RPC message: ${read.reason}`);
    const called = call(read.message);
    if ('ok' in called) return called;
    if (together.tool !== undefined && called.tool !== undefined && called.tool !== together.tool) {
      return refuse(
        `the batch calls the tools ${quoted(together.tool)} and ${quoted(called.tool)}, which may be served by different providers; send the calls one by one`,
      );
    }
    together = {
      tool: together.tool ?? called.tool,
      openEnded: together.openEnded || called.openEnded,
      repeatable: together.repeatable && called.repeatable,
      rpcId: undefined,
    };
  }
  return together;
}

function call({ method, id, subject }: McpMessage): Called | Refusal {
  const repeatable = method !== undefined && REPEATABLE.has(method);
  const openEnded = method === LISTEN;
  if (method !== TOOL_CALL) return { tool: undefined, openEnded, repeatable, rpcId: id };
  const refuse = (message: string): Refusal =>
    problem('invalid_tool', message, { param: 'params.name', rpcId: id ?? 'null' });
  if (subject === undefined) return refuse('"params.name" must name the tool, but is missing');
  if (subject.kind !== 'string') return refuse(`"params.name" must be a string, found ${subject.kind}`);
  const tool = subject.value;
  if (tool.trim() === '') return refuse('"params.name" must not be empty');
  if (Buffer.byteLength(tool) > NAME_BYTES_MAX)
    return refuse(`"params.name" must be at most ${NAME_BYTES_MAX} bytes long`);
  return { tool, openEnded, repeatable, rpcId: id };
}

/** Whoever routes by the headers and whoever serves by the body must mean the same. */
function disagreement(message: McpMessage, headers: McpHeaders): Refusal | undefined {
  const { method, subject } = message;
  const refuse = (text: string): Refusal => problem('header_mismatch', text, { rpcId: message.id ?? 'null' });
  if (headers.method !== undefined && headers.method !== method) {
    const found = method === undefined ? 'has no method' : `says ${quoted(method)}`;
    return refuse(`Mcp-Method says ${quoted(headers.method)}, but the body ${found}`);
  }
  if (headers.name === undefined) {
    const lacks = headers.method === TOOL_CALL && subject?.kind === 'string';
    return lacks ? refuse('Mcp-Name is missing: tools/call needs it beside Mcp-Method') : undefined;
  }
  const named = subject?.kind === 'string' ? subject.value : undefined;
  if (subject === undefined && method !== TOOL_CALL) return undefined;
  if (named === headers.name) return undefined;
  const found = named === undefined ? 'names nothing' : `names ${quoted(named)}`;
  return refuse(`Mcp-Name says ${quoted(headers.name)}, but the body ${found}`);
}

function isArray(body: Buffer): boolean {
  let at = 0;
  for (; at < body.length; at++) {
    const byte = body[at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
  }
  return body[at] === 0x5b;
}
