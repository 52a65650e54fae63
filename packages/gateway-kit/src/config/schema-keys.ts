import type { z } from 'zod';

type AnySchema = z.core.$ZodTypes;

/**
 * The keys a schema knows for the mapping at `path`, over all alternatives of unions. Empty when the schema is open
 * there or cannot be read.
 */
export function knownKeysAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  let schemas: AnySchema[] = unwrap(schema);
  for (const segment of path) schemas = schemas.flatMap((candidate) => step(candidate, segment));
  const keys = new Set<string>();
  for (const candidate of schemas) {
    if (candidate._zod.def.type !== 'object') continue;
    for (const key of Object.keys(candidate._zod.def.shape)) keys.add(key);
  }
  return [...keys];
}

/** One step down: the schemas that judge `value[segment]`. */
function step(schema: AnySchema, segment: PropertyKey): AnySchema[] {
  const def = schema._zod.def;
  if (def.type === 'object') {
    return unwrap(Object.hasOwn(def.shape, segment) ? def.shape[String(segment)] : def.catchall);
  }
  if (def.type === 'array') return unwrap(def.element);
  if (def.type === 'record') return unwrap(def.valueType);
  if (def.type === 'tuple') return unwrap(def.items[Number(segment)] ?? def.rest);
  return [];
}

/** Strips wrappers that do not change the shape of the input, and fans unions out. */
function unwrap(schema: z.core.$ZodType | null | undefined): AnySchema[] {
  if (schema === null || schema === undefined) return [];
  const known = schema as AnySchema;
  const def = known._zod.def;
  if (def.type === 'pipe') return [...unwrap(def.in), ...unwrap(def.out)];
  if (def.type === 'lazy') return unwrap(def.getter());
  if (def.type === 'union') return def.options.flatMap((option) => unwrap(option));
  if (def.type === 'intersection') return [...unwrap(def.left), ...unwrap(def.right)];
  // optional, nullable, default, prefault, nonoptional, readonly, catch
  if ('innerType' in def && def.type !== 'promise') return unwrap(def.innerType);
  return [known];
}
