import type { GridSite, InferenceProvider } from '../model.ts';
import { compareUtf8 } from '../text/compare-utf8.ts';
import { matchesLabels } from './label-selector.ts';

/** The cluster a gateway looks up for a provider: `routingClusterRef`, else the provider's name. */
export function routingIdentity(provider: InferenceProvider): string {
  return provider.spec.routingClusterRef ?? provider.metadata.name;
}

/**
 * The names of the sites that host a provider, in byte order.
 *
 * A network without any GridSite has no site inventory: the provider's routing identity stands in as its only site.
 * With an inventory, a selector that matches no site gives none: the provider offers nothing.
 */
export function hostingSites(provider: InferenceProvider, sites: readonly GridSite[]): string[] {
  if (sites.length === 0) return [routingIdentity(provider)];
  return sites
    .filter((site) => matchesLabels(provider.spec.siteSelector, site.metadata.labels))
    .map((site) => site.metadata.name)
    .sort(compareUtf8);
}
