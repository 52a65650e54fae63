import type { LabelDefinition } from '@switchyard/gateway-kit';
import { PROXIED_ROUTES } from '../listener/routes.ts';
import { MODEL_LABELS_MAX } from './model-labels.ts';

/** Labels that several metrics have. */
export const LABELS: Readonly<Record<'route' | 'model' | 'provider' | 'reachedProvider', LabelDefinition>> = {
  route: { help: 'Path that was asked for.', values: PROXIED_ROUTES.map((route) => route.path) },
  model: {
    help: 'Model that was asked for; `other` when it is not routable here.',
    bound: `models of the overlays so far, ${MODEL_LABELS_MAX} at most, and \`other\``,
  },
  provider: { help: 'Cluster of the configuration.', bound: 'configured clusters' },
  reachedProvider: {
    help: 'Cluster that answered, or was tried last; `none` when no cluster was tried.',
    bound: 'configured clusters, and `none`',
  },
};
