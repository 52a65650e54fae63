import { z } from 'zod';
import type { GridSiteSpec } from '../model.ts';
import { identifier } from './field-schemas.ts';

const egress = z.strictObject({
  address: z.string().exactOptional(),
  tls: z
    .strictObject({
      mode: z.enum(['Mutual', 'Plaintext']).exactOptional(),
      serverName: z.string().exactOptional(),
    })
    .exactOptional(),
});

const fingerprint = z.string().regex(/^[0-9a-f]{64}$/, {
  error: 'expected the SHA-256 of a DER certificate as 64 lower-case hex digits',
});

const trust = z.strictObject({
  certFingerprint: z.string().exactOptional(),
  canonicalFingerprints: z.array(fingerprint).min(1).max(2).exactOptional(),
});

/** `spec` of a GridSite. */
export const siteSpec: z.ZodType<GridSiteSpec> = z.strictObject({
  gridNetworkRef: identifier,
  region: identifier.exactOptional(),
  zone: identifier.exactOptional(),
  sovereigntyZone: identifier.exactOptional(),
  egress: egress.exactOptional(),
  trust: trust.exactOptional(),
});
