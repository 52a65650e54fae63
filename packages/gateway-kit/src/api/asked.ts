import type { HeldBody } from '@switchyard/proxy-core-http';
import type { ApiRoute } from './api-routes.ts';

/** What a request asks for, as far as the request itself says. */
export interface Asked {
  readonly kind: 'inference_model' | 'mcp_tool';
  /**
   * The model or tool, compared exactly. Undefined when the request names none: a stored response, or what MCP clients
   * send besides tool calls.
   */
  readonly name: string | undefined;
  /**
   * Names something that only one provider has: a stored response, a conversation, an MCP session. At most
   * {@link STATE_KEY_BYTES_MAX} bytes. Never logged or shown.
   */
  readonly stateKey: string | undefined;
  /** Whether the answer was asked for as a stream, so that its first byte is due before all of it is made. */
  readonly streamed: boolean;
  /**
   * Whether the answer is a stream of what happens, which stays silent for as long as nothing does: no silence in it is
   * a fault.
   */
  readonly openEnded: boolean;
  /** Whether the request may be sent a second time although the first provider may have acted on it. */
  readonly repeatable: boolean;
  /** The JSON text of a JSON-RPC request's id; undefined outside JSON-RPC, `null` when it has none. */
  readonly rpcId: string | undefined;
}

/** Longest state key, in bytes. A longer one counts as none. */
export const STATE_KEY_BYTES_MAX = 1024;

/** Longest model or tool name, in bytes. */
export const NAME_BYTES_MAX = 256;

/** What {@link Asked} is read from. */
export interface AskingRequest {
  readonly route: ApiRoute;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** What the path has for `{id}`. */
  readonly id: string | undefined;
  /** Flat list of names and values. */
  readonly headers: readonly string[];
  /** The whole body. It is scanned, never parsed and never rewritten. */
  readonly body: HeldBody;
  /** Lower-case name of a header that may name the model, or false. */
  readonly modelHeader: string | false;
}

/** Why it cannot be told what a request asks for. All are the client's mistakes. */
export type AskProblemCode =
  | 'invalid_json'
  | 'invalid_form'
  | 'missing_model'
  | 'invalid_model'
  | 'model_mismatch'
  | 'invalid_message'
  | 'invalid_tool'
  | 'header_mismatch';

/** A request that cannot be understood: HTTP 400. */
export interface AskProblem {
  readonly code: AskProblemCode;
  readonly message: string;
  /** The part of the request at fault, or null. */
  readonly param: string | null;
  /** As {@link Asked.rpcId}. */
  readonly rpcId?: string | undefined;
}

/** What came of reading. */
export type AskedResult =
  | { readonly ok: true; readonly asked: Asked }
  | { readonly ok: false; readonly problem: AskProblem };

/** A problem as a result. */
export function problem(
  code: AskProblemCode,
  message: string,
  more: { readonly param?: string; readonly rpcId?: string | undefined } = {},
): { readonly ok: false; readonly problem: AskProblem } {
  return { ok: false, problem: { code, message, param: more.param ?? null, rpcId: more.rpcId } };
}

/** A client's text inside a message, cut to a length that keeps the message readable. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
