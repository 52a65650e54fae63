import type { IncomingMessage } from 'node:http';
import { type Asked, encodedBody, type MatchedRoute, readAsked } from '@switchyard/gateway-kit';
import { type ByteBudget, collectBody, discardBody, type HeldBody } from '@switchyard/proxy-core-http';
import {
  badRequest,
  busyFailure,
  type GatewayFailure,
  loopFailure,
  unclearRequest,
} from '../answer/gateway-failure.ts';
import { type SessionKeySources, sessionKeyOf } from './session-key.ts';
import { stripInternalHeaders } from './strip-internal-headers.ts';
import { cameFromHere } from './via.ts';

/** How requests are read. */
export interface ReadOptions {
  /** Longest accepted body, in bytes. */
  readonly bodyBytesMax: number;
  /** Shared by all requests. The bytes of a body that was read are given back when its request is over. */
  readonly budget: ByteBudget;
  /** Lower-case name of the header that may name the model, or false. */
  readonly modelHeader: string | false;
  /** Where the session's key is; undefined when affinity is off. */
  readonly session: SessionKeySources | undefined;
  /** This process in `Via`: requests that have it are refused. */
  readonly pseudonym: string;
}

/** A request that is understood and held in memory. */
export interface ReadRequest {
  /** The client's headers without the internal ones, as a flat list. Every attempt starts from these. */
  readonly headers: readonly string[];
  /** The body's bytes as the client sent them; counted in {@link ReadOptions.budget} until they are given back. */
  readonly body: HeldBody;
  readonly asked: Asked;
  readonly sessionKey: string | undefined;
}

/** What came of reading a request. */
export type ReadResult =
  | { readonly kind: 'read'; readonly request: ReadRequest }
  | { readonly kind: 'refused'; readonly failure: GatewayFailure }
  | { readonly kind: 'client_gone' };

/** A request whose head has arrived. */
export interface IncomingRequest extends MatchedRoute {
  readonly incoming: IncomingMessage;
}

/** Reads one request to the end of its body and tells what it asks for. */
export async function readRequest(
  { incoming, route, id }: IncomingRequest,
  options: ReadOptions,
): Promise<ReadResult> {
  const headers = stripInternalHeaders(incoming.rawHeaders);
  if (cameFromHere(headers, options.pseudonym)) {
    discardBody(incoming);
    return { kind: 'refused', failure: loopFailure };
  }
  const encoded = encodedBody(headers);
  if (encoded !== undefined) {
    discardBody(incoming);
    return { kind: 'refused', failure: badRequest('unsupported_content_encoding', encoded, { status: 415 }) };
  }
  const collected = await collectBody(incoming, {
    maxBytes: options.bodyBytesMax,
    budget: options.budget,
  });
  if (!collected.ok) return notCollected(collected.reason, options.bodyBytesMax);
  const { body } = collected;
  const { method = '', url: target = '' } = incoming;
  const { modelHeader } = options;
  const read = readAsked({ route, id, method, target, headers, body, modelHeader });
  if (!read.ok) {
    options.budget.give(body.length);
    return { kind: 'refused', failure: unclearRequest(read.problem) };
  }
  const sessionKey = options.session === undefined ? undefined : sessionKeyOf(headers, options.session);
  return { kind: 'read', request: { headers, body, asked: read.asked, sessionKey } };
}

function notCollected(reason: 'too_large' | 'no_room' | 'client_gone', bytesMax: number): ReadResult {
  switch (reason) {
    case 'client_gone':
      return { kind: 'client_gone' };
    case 'no_room':
      return { kind: 'refused', failure: busyFailure };
    case 'too_large': {
      const message = `the request body is longer than ${bytesMax} bytes`;
      return { kind: 'refused', failure: badRequest('request_too_large', message, { status: 413 }) };
    }
  }
}
