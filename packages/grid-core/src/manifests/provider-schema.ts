import { z } from 'zod';
import type { HealthCheck, InferenceProviderSpec, ProviderAuth, ProviderModel, SecretRef } from '../model.ts';
import { duration, endpointUrl, identifier, opaque, siteSelector, urlPath } from './field-schemas.ts';

// Strict all the way down: an unknown key here could be a token somebody pasted.
const secretRef: z.ZodType<SecretRef> = z.strictObject({
  name: identifier,
  namespace: identifier,
  key: identifier,
});

const auth: z.ZodType<ProviderAuth> = z.strictObject({
  strategy: z.enum(['api_key', 'bearer_token', 'custom', 'mtls_only', 'oauth2', 'service_account', 'sigv4']),
  manual: z.boolean().exactOptional(),
  secretRef: secretRef.exactOptional(),
});

const healthCheck: z.ZodType<HealthCheck> = z.strictObject({
  endpoint: endpointUrl.exactOptional(),
  path: urlPath.exactOptional(),
  interval: duration.exactOptional(),
  timeout: duration.exactOptional(),
  tls: opaque.exactOptional(),
});

const model: z.ZodType<ProviderModel> = z.strictObject({
  name: identifier,
  capabilities: z.array(z.string()).default([]),
  contextWindow: z.int().min(1).exactOptional(),
});

const price = z.number().min(0).exactOptional();
const cost = z.strictObject({ perMillionInputTokens: price, perMillionOutputTokens: price });

const signalName = z.string().min(1).exactOptional();
const metricsConfig = z.strictObject({
  metricsEndpoint: endpointUrl.exactOptional(),
  endpoint: endpointUrl.exactOptional(),
  path: urlPath.exactOptional(),
  timeout: duration.exactOptional(),
  signalNames: z
    .strictObject({
      queueDepth: signalName,
      kvCacheUtilization: signalName,
      latencyP99Ms: signalName,
      prefixCacheHitRatio: signalName,
      errorRate: signalName,
      healthy: signalName,
    })
    .exactOptional(),
  poolName: z.string().min(1).exactOptional(),
  queueCapacity: z.int().min(1).exactOptional(),
  staleMetricsSeconds: z.int().min(1).exactOptional(),
  auth: opaque.exactOptional(),
  tls: opaque.exactOptional(),
});

/** `spec` of an InferenceProvider, with defaults filled in. */
export const providerSpec: z.ZodType<InferenceProviderSpec> = z.strictObject({
  gridNetworkRef: identifier,
  endpoint: endpointUrl,
  models: z.array(model).min(1, { error: 'must name at least one model' }),
  accessPolicy: z.strictObject({ siteSelector: siteSelector.exactOptional() }).exactOptional(),
  siteSelector: siteSelector.exactOptional(),
  routingClusterRef: identifier.exactOptional(),
  capacityWeight: z.int().min(1).max(1000).default(1),
  trafficPolicy: z.strictObject({ drain: z.boolean().exactOptional() }).exactOptional(),
  healthCheck: healthCheck.exactOptional(),
  auth: auth.exactOptional(),
  backendKind: z.string().exactOptional(),
  providerKind: z.string().exactOptional(),
  providerGateway: z.string().exactOptional(),
  cost: cost.exactOptional(),
  metricsConfig: metricsConfig.exactOptional(),
  modelDiscovery: opaque.exactOptional(),
  tls: opaque.exactOptional(),
});
