import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiRoute, Asked, Clock, ClusterRegistry, LineWriter, Telemetry } from '@switchyard/gateway-kit';
import type { ByteBudget, HeldBody } from '@switchyard/proxy-core-http';
import type { Logger } from 'pino';
import type { GatewayConfig, RouteConfig } from '../config.ts';
import type { HopContext } from '../policy/hop-context.ts';
import type { RoutePolicy } from '../policy/match-route.ts';
import type { GatewayMetrics } from '../telemetry/metrics.ts';
import type { RequestSpans } from '../telemetry/request-spans.ts';
import type { RequestRecord } from './request-record.ts';

/** Everything a request needs; made once at start. */
export interface Pipeline {
  readonly config: GatewayConfig;
  readonly policy: RoutePolicy;
  readonly clusters: ClusterRegistry;
  readonly telemetry: Telemetry;
  readonly metrics: GatewayMetrics;
  readonly lines: LineWriter;
  readonly log: Logger;
  readonly clock: Clock;
  /** Bounds what the bodies of all requests hold together. */
  readonly budget: ByteBudget;
}

/** One request on its way. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly record: RequestRecord;
  readonly spans: RequestSpans | undefined;
}

/** A request that the policy let through. */
export interface Admitted {
  readonly route: RouteConfig;
  readonly api: ApiRoute;
  readonly hop: HopContext;
  readonly asked: Asked;
  readonly body: HeldBody;
}
