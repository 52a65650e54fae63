import type { GridSite, InferenceProvider } from '../model.ts';
import { isEmptySelector, matchesLabels } from './label-selector.ts';

/**
 * Whether a consumer site may use a provider, by the provider's `accessPolicy`.
 *
 * Fails closed: a policy that demands labels excludes a consumer site that no GridSite describes.
 *
 * @param consumer - the GridSite the gateway runs at, when there is one.
 */
export function isAccessAllowed(provider: InferenceProvider, consumer: GridSite | undefined): boolean {
  const selector = provider.spec.accessPolicy?.siteSelector;
  if (isEmptySelector(selector)) return true;
  return consumer !== undefined && matchesLabels(selector, consumer.metadata.labels);
}
