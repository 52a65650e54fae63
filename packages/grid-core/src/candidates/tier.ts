import type { GridSite, SelectionTier } from '../model.ts';

/**
 * Where a candidate's site stands, seen from the consumer's site.
 *
 * Same name: `same_site`. Else both regions known: equal regions give `same_zone` when both zones are known and equal,
 * otherwise `same_region`; different regions give `cross_region`. Everything else is `unknown`, the last tier.
 *
 * @param sites - the network's GridSites by name; a site that isn't there has no region.
 */
export function selectionTier(
  consumerSite: string,
  candidateSite: string,
  sites: ReadonlyMap<string, GridSite>,
): SelectionTier {
  if (consumerSite === candidateSite) return 'same_site';
  const consumer = sites.get(consumerSite)?.spec;
  const candidate = sites.get(candidateSite)?.spec;
  if (consumer?.region === undefined || candidate?.region === undefined) return 'unknown';
  if (consumer.region !== candidate.region) return 'cross_region';
  return consumer.zone !== undefined && consumer.zone === candidate.zone ? 'same_zone' : 'same_region';
}
