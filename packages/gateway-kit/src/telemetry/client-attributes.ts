import {
  type GenAiAttribute,
  type GenAiCall,
  type GenAiConvention,
  genAiAttributes,
} from './names/gen-ai.ts';
import type { HttpClientAttribute } from './names/http-attributes.ts';
import type { SpanAttributes } from './names/span-definition.ts';

type HttpAttributes = Readonly<SpanAttributes<HttpClientAttribute>>;
type CallAttributes = Readonly<SpanAttributes<GenAiAttribute>>;

/** What a forwarded exchange goes to. */
export interface ClientTarget {
  readonly method: string;
  /** Where the request goes; gives `server.address` and `server.port`. */
  readonly origin: URL;
  /** Route template and no client's path: with the origin it gives `url.full`. */
  readonly route: string;
}

/** Routes and methods per origin that are kept; served paths are fewer. */
const KEPT_PER_ORIGIN = 64;
/** Models per kind of call. */
const KEPT_PER_CALL = 1024;

/** Attributes of CLIENT spans. Frozen sets, made once for what comes again and again, so that each is encoded once. */
export class ClientAttributes {
  readonly #convention: GenAiConvention;
  readonly #exchanges = new WeakMap<URL, Map<string, HttpAttributes>>();
  readonly #calls = new WeakMap<GenAiCall, Map<string, CallAttributes>>();

  constructor(convention: GenAiConvention) {
    this.#convention = convention;
  }

  /** What every exchange has. */
  ofExchange(target: ClientTarget): HttpAttributes {
    const byRoute = this.#exchanges.get(target.origin) ?? new Map<string, HttpAttributes>();
    const key = `${target.method} ${target.route}`;
    const known = byRoute.get(key);
    if (known !== undefined) return known;
    const attributes = Object.freeze(httpAttributes(target));
    if (byRoute.size === KEPT_PER_ORIGIN) byRoute.clear();
    this.#exchanges.set(target.origin, byRoute.set(key, attributes));
    return attributes;
  }

  /** What is known of a call of a model when it begins. Of the calls that {@link genAiCall} names. */
  ofCall(call: GenAiCall, model: string): CallAttributes {
    const byModel = this.#calls.get(call) ?? new Map<string, CallAttributes>();
    const known = byModel.get(model);
    if (known !== undefined) return known;
    const attributes = Object.freeze(genAiAttributes(this.#convention, { ...call, model }));
    if (byModel.size === KEPT_PER_CALL) byModel.clear();
    this.#calls.set(call, byModel.set(model, attributes));
    return attributes;
  }
}

function httpAttributes({ method, origin, route }: ClientTarget): SpanAttributes<HttpClientAttribute> {
  return {
    'http.request.method': method,
    // Without the brackets of an IPv6 address, which belong to the URL.
    'server.address': origin.hostname.replace(/^\[|\]$/g, ''),
    'server.port': Number(origin.port || (origin.protocol === 'https:' ? 443 : 80)),
    'url.full': origin.origin + route,
  };
}
