import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Router } from '@switchyard/ai-route';
import type { Clock, ClusterRegistry, LineWriter, MatchedRoute } from '@switchyard/gateway-kit';
import type { Logger } from 'pino';
import type { ClusterConfig } from '../config/clusters.ts';
import type { ReadOptions, ReadRequest } from '../request/read-request.ts';
import type { AccessLog } from '../telemetry/access-log/access-log.ts';
import type { GatewayMetrics } from '../telemetry/metrics.ts';
import type { RequestSpans } from '../telemetry/request-spans.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import type { RequestRecord } from './request-record.ts';
import type { SessionCookie } from './session-cookie.ts';

/** What the request path works with: built once at start, shared by all requests. */
export interface Pipeline {
  readonly router: Router;
  readonly clusters: ClusterRegistry<ClusterConfig>;
  /** Undefined while telemetry is off. */
  readonly tracing: Tracing | undefined;
  readonly metrics: GatewayMetrics;
  /** For lines that are about no proxied request. */
  readonly lines: LineWriter;
  readonly accessLog: AccessLog;
  readonly log: Logger;
  readonly clock: Clock;
  readonly newRequestId: () => string;
  readonly settings: PipelineSettings;
}

/** The part of the configuration that the request path reads. */
export interface PipelineSettings {
  readonly read: ReadOptions;
  /** Longest body that may be sent a second time, in bytes. */
  readonly replayBodyBytes: number;
  /** Longest wait of one attempt for the first body byte of a stream, in milliseconds. 0 = no limit. */
  readonly firstByteMs: number;
  /** The same for an answer that is not streamed: its first byte comes when all of it is made. */
  readonly unstreamedFirstByteMs: number;
  /** Longest silence inside a response, in milliseconds. 0 = no limit. */
  readonly idleMs: number;
  /** Longest attempt, in milliseconds. 0 = no limit. */
  readonly totalMs: number;
  /** The cookie that this gateway sets; undefined unless sessions are kept that way. */
  readonly sessionCookie: SessionCookie | undefined;
  /** Whether responses tell how they were routed. */
  readonly responseHeaders: boolean;
}

/** The two ends of one client request. */
export interface ClientExchange extends MatchedRoute {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** One request on its way through the attempts. */
export interface RoutedExchange extends ClientExchange {
  readonly request: ReadRequest;
  readonly record: RequestRecord;
  /** Undefined while telemetry is off. */
  readonly spans: RequestSpans | undefined;
}
