import { z } from 'zod';
import type { GridNetworkSpec, GridSiteSpec, InferenceProviderSpec, Labels } from '../model.ts';
import { identifier, labels } from './field-schemas.ts';
import { networkSpec } from './network-schema.ts';
import { providerSpec } from './provider-schema.ts';
import { siteSpec } from './site-schema.ts';

/** API groups under which the same kinds are known: the older and the newer Praxis one, and ours. */
export const API_VERSIONS: readonly string[] = [
  'grid.praxis-proxy.io/v1alpha1',
  'grid.praxis.fast/v1alpha1',
  'grid.switchyard.dev/v1alpha1',
];

/** Metadata as written. */
export interface WrittenMeta {
  readonly name: string;
  readonly uid?: string;
  readonly generation?: number;
  readonly labels?: Labels;
}

/** A manifest as written, valid by its schema. */
interface WrittenObject<Spec> {
  readonly metadata: WrittenMeta;
  readonly spec: Spec;
}

/** Fields of a live Kubernetes object that a dump contains; read past. */
const ignored = z.unknown().exactOptional();

const metadata = z.strictObject({
  name: identifier,
  uid: identifier.exactOptional(),
  generation: z.int().min(1).exactOptional(),
  labels: labels.exactOptional(),
  annotations: ignored,
  namespace: ignored,
  resourceVersion: ignored,
  creationTimestamp: ignored,
  deletionTimestamp: ignored,
  deletionGracePeriodSeconds: ignored,
  finalizers: ignored,
  generateName: ignored,
  managedFields: ignored,
  ownerReferences: ignored,
  selfLink: ignored,
});

function objectOf<Spec>(spec: z.ZodType<Spec>): z.ZodType<WrittenObject<Spec>> {
  return z.strictObject({ apiVersion: z.string(), kind: z.string(), metadata, spec, status: ignored });
}

/** Whole manifests by kind. */
export interface ObjectSchemas {
  readonly GridNetwork: z.ZodType<WrittenObject<GridNetworkSpec>>;
  readonly GridSite: z.ZodType<WrittenObject<GridSiteSpec>>;
  readonly InferenceProvider: z.ZodType<WrittenObject<InferenceProviderSpec>>;
}

/** The schema of each kind this package knows. */
export const OBJECT_SCHEMAS: ObjectSchemas = {
  GridNetwork: objectOf(networkSpec),
  GridSite: objectOf(siteSpec),
  InferenceProvider: objectOf(providerSpec),
};
