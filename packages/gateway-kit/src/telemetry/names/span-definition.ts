import type { AttributeValue } from '@opentelemetry/api';

/** What one span attribute means, and what keeps its values few or short. */
interface AttributeDefinition {
  readonly type: 'string' | 'int' | 'double' | 'boolean';
  readonly help: string;
  /** Every value there is. */
  readonly values?: readonly (string | boolean)[];
  /** Who makes the values and how long or many they get; required where `values` doesn't say it. */
  readonly bound?: string;
}

/** Attributes by name. The union of names is what the compiler lets code set. */
export type AttributeCatalogue<N extends string> = Readonly<Record<N, AttributeDefinition>>;

/** Values of some of the catalogued attributes. */
export type SpanAttributes<N extends string> = { [K in N]?: AttributeValue };

/** One declared kind of span. */
export interface SpanDefinition {
  /** With `{placeholders}` for what differs: `{method} {route}`. */
  readonly name: string;
  readonly kind: 'SERVER' | 'CLIENT' | 'INTERNAL';
  /** One sentence: what it covers, from when to when, and how many a request has. */
  readonly help: string;
  readonly attributes: AttributeCatalogue<string>;
}
