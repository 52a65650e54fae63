import { z } from 'zod';
import { IDENTIFIER_BYTES_MAX, TIER_BYTES_MAX, TRAFFIC_WEIGHT_MAX, UINT32_MAX } from '../../limits.ts';
import { CANDIDATE_KINDS } from '../../model.ts';
import { HEADER_SAFE } from '../../stable-id.ts';
import { SCHEMA_VERSION } from '../detect.ts';
import { isIdentifier, isRfc3339, NOT_BLANK, RFC_3339 } from './fields.ts';

const DIGEST = /^[0-9a-f]{64}$/;

// Every schema's error text completes the sentence "expected …"; check-structure.ts adds where and what was found.

// What JSON Schema can say is said with zod's own checks, so that the published schema is generated from here; the
// refinements say the rest: bytes, not characters, and times that exist.

const identifier = name('a string of 1 to 256 bytes, not blank', IDENTIFIER_BYTES_MAX);
const tier = name(`a string of 1 to ${TIER_BYTES_MAX} bytes, not blank`, TIER_BYTES_MAX);
const stableId = text(
  'a header-safe string of 1 to 256 bytes (visible ASCII, spaces only inside)',
  (schema, expected) => schema.max(IDENTIFIER_BYTES_MAX, expected).regex(HEADER_SAFE, expected),
);
const timestamp = text('an RFC 3339 time such as 2026-01-01T00:00:00Z', (schema, expected) =>
  schema.max(IDENTIFIER_BYTES_MAX, expected).regex(RFC_3339, expected).refine(isRfc3339, expected),
);
const digest = text('64 lower-case hex digits', (schema, expected) => schema.regex(DIGEST, expected));

const credential = z.strictObject(
  {
    strategy: z.literal('bearer_token', 'the string "bearer_token"'),
    secretRef: z.strictObject(
      { name: identifier, namespace: identifier, key: identifier },
      'an object with name, namespace and key only: a reference, never a secret',
    ),
  },
  'an object with strategy and secretRef only: a reference, never a secret',
);

const candidate = z.looseObject(
  {
    kind: z.enum(CANDIDATE_KINDS, 'inference_model or mcp_tool'),
    name: identifier,
    site: identifier,
    cluster: identifier,
    fresh: z.boolean('true or false').optional(),
    stable_id: stableId.optional(),
    rank: integer(0, UINT32_MAX).optional(),
    score: z.number('a finite number').optional(),
    score_breakdown: z.looseObject({}, 'an object').optional(),
    admission_state: z
      .enum(
        ['new_and_existing', 'existing_only', 'excluded', 'none'],
        'new_and_existing, existing_only or excluded',
      )
      .optional(),
    selection_tier: tier.optional(),
    selection_group: integer(0, UINT32_MAX).optional(),
    traffic_weight: integer(1, TRAFFIC_WEIGHT_MAX).optional(),
    credential: credential.optional(),
  },
  'an object',
);

const payload = {
  local_site: identifier,
  candidates: z.array(candidate, 'an array of candidates').min(1, 'at least one candidate'),
  // Judged with the meaning of the document, under a code of its own.
  selection_policy: z.unknown().optional(),
  generated_at: z.string('a string').optional(),
};

const envelope = z.looseObject({
  schema_version: z.literal(SCHEMA_VERSION, `the string "${SCHEMA_VERSION}"`),
  revision: z.looseObject(
    {
      kind: z.literal('content_addressed', 'the string "content_addressed"'),
      algorithm: z.literal('sha256', 'the string "sha256"'),
      value: digest,
    },
    'an object with kind, algorithm and value',
  ),
  content_digest: z.looseObject(
    { algorithm: z.literal('sha256', 'the string "sha256"'), value: digest },
    'an object with algorithm and value',
  ),
  scope: z.looseObject(
    { network: identifier, gateway: identifier, namespace: identifier, local_site: identifier },
    'an object with network, gateway, namespace and local_site',
  ),
  provenance: z.looseObject(
    {
      producer: identifier,
      producer_version: identifier,
      source_name: identifier,
      source_uid: identifier,
      source_generation: integer(1, Number.MAX_SAFE_INTEGER),
      rendered_at: timestamp,
    },
    'an object with producer, producer_version, source_name, source_uid, source_generation and rendered_at',
  ),
  overlay: z.looseObject(
    { network: identifier, ...payload },
    'an object with network, local_site and candidates',
  ),
});

const legacy = z.looseObject({ network: identifier.optional(), ...payload });

/** Every structural violation of a document in the given form, in document order; empty when there is none. */
export function schemaIssues(
  format: 'envelope' | 'legacy',
  root: Readonly<Record<string, unknown>>,
): readonly z.core.$ZodIssue[] {
  // Only the verdict is used: zod's output is a copy, and a copy loses members named __proto__.
  return (format === 'envelope' ? envelope : legacy).safeParse(root).error?.issues ?? [];
}

/** The schemas of both forms, for whoever renders them in another language. */
export function wireSchemas(): {
  readonly envelope: z.ZodType;
  readonly legacy: z.ZodType;
  readonly candidate: z.ZodType;
} {
  return { envelope, legacy, candidate };
}

function text(expected: string, narrow: (schema: z.ZodString, expected: string) => z.ZodString): z.ZodString {
  return narrow(z.string(expected), expected);
}

function name(expected: string, maxBytes: number): z.ZodString {
  return text(expected, (schema) =>
    schema
      .min(1, expected)
      .max(maxBytes, expected)
      .regex(NOT_BLANK, expected)
      .refine((value) => isIdentifier(value, maxBytes), expected),
  );
}

function integer(min: number, max: number): z.ZodNumber {
  const expected = `an integer from ${min} to ${max}`;
  return z.number(expected).int(expected).min(min, expected).max(max, expected);
}
