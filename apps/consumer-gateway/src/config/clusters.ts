import {
  type ClusterConfig as CommonClusterConfig,
  checkCluster,
  clusterShape,
} from '@switchyard/gateway-kit';
import { z } from 'zod';

/** A cluster that candidates may name, after validation, with defaults applied. Its name is `x-switchyard-provider`. */
export interface ClusterConfig extends CommonClusterConfig {
  /** Whether this cluster is a provider gateway of ours and gets the `x-ai-routing-*` headers. Default false. */
  readonly providerHop: boolean;
  /** Whether the client's own credentials go on to this cluster. Default `strip`. */
  readonly credentials: 'strip' | 'passthrough';
}

/** One cluster that candidates may name. */
export const clusterSchema: z.ZodType<ClusterConfig> = z
  .strictObject({
    ...clusterShape,
    providerHop: z.boolean().default(false),
    credentials: z.enum(['strip', 'passthrough']).default('strip'),
  })
  .superRefine(checkCluster);
