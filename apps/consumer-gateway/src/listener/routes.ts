import {
  API_ROUTES,
  type ApiRoute,
  type MatchedRoute,
  matchApiRoute,
  pathOfTarget,
} from '@switchyard/gateway-kit';

/** The paths that are routed to providers, all by one code path. */
export const PROXIED_ROUTES: readonly ApiRoute[] = API_ROUTES;

/** The proxied route of a request target, or undefined when the target is not proxied. */
export function matchRoute(target: string): MatchedRoute | undefined {
  return matchApiRoute(pathOfTarget(target));
}

/**
 * A request target as providers receive it: `http://host/path?query`, which a server must take as well (RFC 9112 §3.2.2),
 * loses its front. The rest is kept byte for byte.
 */
export function originForm(target: string): string {
  // 47 is "/": nearly every target.
  return target.charCodeAt(0) === 47 ? target : target.replace(/^https?:\/\/[^/?#]+(?=\/)/i, '');
}
