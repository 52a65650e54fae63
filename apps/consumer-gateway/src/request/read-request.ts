import type { IncomingMessage } from 'node:http';
import { headerValues } from '@switchyard/gateway-kit';
import { collectBody, discardBody } from '@switchyard/proxy-core-http';
import { badRequest, type GatewayFailure } from '../answer/gateway-failure.ts';
import { identifyModel } from './identify-model.ts';
import { type SessionKeySources, sessionKeyOf } from './session-key.ts';
import { stripInternalHeaders } from './strip-internal-headers.ts';

/** How requests are read. */
export interface ReadOptions {
  /** Longest accepted body, in bytes. */
  readonly bodyBytesMax: number;
  /** Lower-case name of the header that may name the model, or false. */
  readonly modelHeader: string | false;
  /** Where the session's key is; undefined when affinity is off. */
  readonly session: SessionKeySources | undefined;
}

/** A request that is understood and held in memory. */
export interface ReadRequest {
  /** The client's headers without the internal ones, as a flat list. Every attempt starts from these. */
  readonly headers: readonly string[];
  /** The body's bytes as the client sent them. */
  readonly body: Buffer;
  readonly model: string;
  readonly sessionKey: string | undefined;
}

/** What came of reading a request. */
export type ReadResult =
  | { readonly kind: 'read'; readonly request: ReadRequest }
  | { readonly kind: 'refused'; readonly failure: GatewayFailure }
  | { readonly kind: 'client_gone' };

/** Reads one request to the end of its body and tells what it asks for. */
export async function readRequest(incoming: IncomingMessage, options: ReadOptions): Promise<ReadResult> {
  const headers = stripInternalHeaders(incoming.rawHeaders);
  const encoding = headerValues(headers, 'content-encoding').join(', ').trim().toLowerCase();
  if (encoding !== '' && encoding !== 'identity') {
    const message = `the request body is encoded as "${encoding.slice(0, 100)}"; send it without content-encoding, so that its "model" can be read`;
    discardBody(incoming);
    return { kind: 'refused', failure: badRequest('unsupported_content_encoding', message, { status: 415 }) };
  }
  const collected = await collectBody(incoming, { maxBytes: options.bodyBytesMax });
  if (!collected.ok) {
    return collected.reason === 'client_gone' ? { kind: 'client_gone' } : tooLarge(options.bodyBytesMax);
  }
  const { body } = collected;
  const { modelHeader } = options;
  const header =
    modelHeader === false ? undefined : { name: modelHeader, values: headerValues(headers, modelHeader) };
  const identified = identifyModel({ body, header });
  if (!identified.ok) return { kind: 'refused', failure: identified.failure };
  const sessionKey = options.session === undefined ? undefined : sessionKeyOf(headers, options.session);
  return { kind: 'read', request: { headers, body, model: identified.model, sessionKey } };
}

function tooLarge(bytesMax: number): ReadResult {
  const message = `the request body is longer than ${bytesMax} bytes`;
  return { kind: 'refused', failure: badRequest('request_too_large', message, { status: 413 }) };
}
