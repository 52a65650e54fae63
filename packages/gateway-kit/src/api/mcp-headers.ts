import { headerValues } from '../http/raw-headers.ts';

/** What the headers of an MCP request say (Streamable HTTP, revision 2026-07-28), each undefined when absent. */
export interface McpHeaders {
  /** `Mcp-Method`. */
  readonly method: string | undefined;
  /** `Mcp-Name`, decoded. */
  readonly name: string | undefined;
  /** `Mcp-Session-Id` of the revisions before. */
  readonly session: string | undefined;
}

/** The headers, or what is wrong with them. */
export type McpHeadersResult =
  | { readonly ok: true; readonly headers: McpHeaders }
  | { readonly ok: false; readonly message: string };

/** Reads the headers that MCP clients send for those between them and the server. */
export function readMcpHeaders(raw: readonly string[]): McpHeadersResult {
  const method = single(raw, 'mcp-method');
  const name = single(raw, 'mcp-name');
  const session = single(raw, 'mcp-session-id');
  const broken = [method, name, session].find((header) => !header.ok);
  if (broken?.ok === false) return broken;
  const decoded = name.ok && name.value !== undefined ? decodeSentinel(name.value) : undefined;
  if (decoded === null)
    return { ok: false, message: 'Mcp-Name is marked as Base64, but is not Base64 of UTF-8' };
  return {
    ok: true,
    headers: {
      method: method.ok ? method.value : undefined,
      name: decoded,
      session: session.ok ? session.value : undefined,
    },
  };
}

type Single =
  | { readonly ok: true; readonly value: string | undefined }
  | { readonly ok: false; readonly message: string };

function single(raw: readonly string[], name: string): Single {
  const [value, ...others] = headerValues(raw, name);
  if (others.length > 0) return { ok: false, message: `the header ${name} is given several times` };
  return { ok: true, value: value?.trim() };
}

const SENTINEL = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;

/** Values that no header can carry come as `=?base64?...?=`. Null when what is inside cannot be decoded. */
function decodeSentinel(value: string): string | null {
  const encoded = SENTINEL.exec(value)?.[1];
  if (encoded === undefined) return value.startsWith('=?base64?') && value.endsWith('?=') ? null : value;
  const bytes = Buffer.from(encoded, 'base64');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
