import type { HttpServerAttribute, SpanAttributes, Telemetry } from '@switchyard/gateway-kit';
import { DecisionAttributes } from './decision-attributes.ts';

/** How the SERVER span of a route begins. */
export interface ServerSpan {
  readonly name: string;
  /** Frozen. */
  readonly attributes: Readonly<SpanAttributes<HttpServerAttribute>>;
}

/** What the spans of all requests share: tracing itself, and what need not be made for each of them. */
export class Tracing {
  readonly telemetry: Telemetry;
  readonly decisions: DecisionAttributes = new DecisionAttributes();
  readonly #servers = new Map<string, Map<string, ServerSpan>>();

  constructor(telemetry: Telemetry) {
    this.telemetry = telemetry;
  }

  /** @param start - one of the served routes and one of its methods: all of them are kept. */
  serverSpan({ route, method }: { readonly route: string; readonly method: string }): ServerSpan {
    const byMethod = this.#servers.get(route) ?? new Map<string, ServerSpan>();
    const known = byMethod.get(method);
    if (known !== undefined) return known;
    const span: ServerSpan = {
      name: `${method} ${route}`,
      attributes: Object.freeze({
        'http.request.method': method,
        'http.route': route,
        'url.path': route,
        'url.scheme': 'http',
      }),
    };
    this.#servers.set(route, byMethod.set(method, span));
    return span;
  }
}
