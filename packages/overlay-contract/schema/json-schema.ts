import { z } from 'zod';
import { buildOverlay } from '../src/index.ts';
import { SELECTION_POLICIES } from '../src/model.ts';
import { ENVELOPE_MEMBERS } from '../src/parse/detect.ts';
import { PRAXIS_MODES } from '../src/parse/meaning/selection-policy.ts';
import { wireSchemas } from '../src/parse/structure/schema.ts';
import { DESCRIPTIONS } from './descriptions.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Draft 7, because every editor reads it. */
const TARGET = 'draft-7';

/** Never more than the reader asks for: every document a reader accepts is valid. */
const DESCRIPTION =
  'A routing overlay: the envelope, recognised by any of its own members at the top, or the bare payload. Rules beyond JSON Schema (digest, groups, duplicates, lengths in bytes) are judged by the readers; `switchyard overlay validate` says all of them.';

/** The JSON Schema of both forms of an overlay, made from the zod schemas the readers judge by. */
export function overlayJsonSchema(): Readonly<Record<string, unknown>> {
  const { envelope, legacy, candidate } = wireSchemas();
  const names = z.registry<{ id: string }>();
  names.add(candidate, { id: 'candidate' });
  const converted = [envelope, legacy].map((schema) =>
    z.toJSONSchema(schema, { target: TARGET, io: 'input', metadata: names }),
  );
  const [enveloped, bare] = converted.map(({ $schema: _, definitions: __, ...rest }) => rest);
  const shared = converted[0]?.['definitions'] as Readonly<Record<string, JsonSchema>> | undefined;
  const described = shared?.['candidate'];
  if (enveloped === undefined || bare === undefined || described === undefined)
    throw new Error('zod rendered the schemas in another shape than before.');
  const { id: _, ...candidateSchema } = described;
  annotate(enveloped, '');
  annotate(bare, 'overlay');
  annotate(candidateSchema, 'candidates[]');
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'urn:switchyard:schema:overlay-v1',
    title: 'Switchyard routing overlay, v1',
    description: DESCRIPTION,
    type: 'object',
    if: { anyOf: ENVELOPE_MEMBERS.map((member) => ({ required: [member] })) },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { $ref: '#/definitions/envelope' },
    else: { $ref: '#/definitions/payload' },
    definitions: {
      envelope: { title: 'Envelope', ...enveloped },
      payload: { title: 'Bare payload', ...bare },
      candidate: { title: 'Candidate', ...candidateSchema },
    },
    examples: [example()],
  };
}

/** Adds descriptions and the policy, drops what says nothing. Names without a description are a mistake here. */
function annotate(schema: JsonSchema, path: string): void {
  const description = DESCRIPTIONS[path];
  if (description !== undefined) schema.description = description;
  else if (path !== '') throw new Error(`schema/descriptions.ts says nothing about ${path}.`);
  if (schema.additionalProperties !== false) delete schema.additionalProperties;
  if (Object.keys(schema.properties ?? {}).length === 0) delete schema.properties;
  if (path === 'overlay.selection_policy') Object.assign(schema, policySchema());
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    if (typeof member !== 'boolean') annotate(member, path === '' ? name : `${path}.${name}`);
  }
}

/** Zod leaves the policy open, since the reader judges it with the meaning of the document. */
function policySchema(): JsonSchema {
  const spelt = z.enum(SELECTION_POLICIES);
  const mode = z.strictObject({ mode: z.enum(Object.values(PRAXIS_MODES)) });
  const { $schema: _, ...schema } = z.toJSONSchema(z.union([spelt, mode]), { target: TARGET });
  return schema;
}

function example(): unknown {
  const { envelope } = buildOverlay({
    scope: { network: 'demo', gateway: 'consumer', namespace: 'grid-system', localSite: 'site-a' },
    provenance: {
      producer: 'grid-controller',
      producerVersion: '1.0.0',
      sourceName: 'demo',
      sourceUid: '7d1c5c4e',
      sourceGeneration: 1,
      renderedAt: '2026-01-01T00:00:00Z',
    },
    selectionPolicy: 'round_robin',
    candidates: ['a', 'b'].map((letter) => ({
      kind: 'inference_model',
      name: 'demo-model',
      site: `site-${letter}`,
      cluster: `provider-${letter}`,
      selection_group: 0,
    })),
  });
  return envelope;
}
