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
  switch (def.type) {
    case 'object': {
      const child = Object.hasOwn(def.shape, segment) ? def.shape[String(segment)] : def.catchall;
      return child === undefined ? [] : unwrap(child);
    }
    case 'array':
      return unwrap(def.element);
    case 'record':
      return unwrap(def.valueType);
    case 'tuple': {
      const child = def.items[Number(segment)] ?? def.rest;
      return child === null || child === undefined ? [] : unwrap(child);
    }
    default:
      return [];
  }
}

/** Strips wrappers that do not change the shape of the input, and fans unions out. */
function unwrap(schema: z.core.$ZodType): AnySchema[] {
  const known = schema as AnySchema;
  const def = known._zod.def;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return unwrap(def.innerType);
    case 'pipe':
      return [...unwrap(def.in), ...unwrap(def.out)];
    case 'lazy':
      return unwrap(def.getter());
    case 'union':
      return def.options.flatMap((option) => unwrap(option));
    case 'intersection':
      return [...unwrap(def.left), ...unwrap(def.right)];
    default:
      return [known];
  }
}
