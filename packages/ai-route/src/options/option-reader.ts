import type { OptionIssue } from '../errors.ts';

/** Bounds and default of a number. */
export interface NumberRule {
  readonly min: number;
  readonly max: number;
  readonly fallback: number;
}

/** Reads options that may come from plain JavaScript. What is wrong is noted, and reading goes on. */
export class OptionReader {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #path: string;
  readonly #issues: OptionIssue[];

  constructor(values: object, path: string, issues: OptionIssue[]) {
    this.#values = values as Readonly<Record<string, unknown>>;
    this.#path = path;
    this.#issues = issues;
  }

  has(key: string): boolean {
    return this.#values[key] !== undefined;
  }

  report(key: string, message: string): void {
    this.#issues.push({ path: `${this.#path}${key}`, message });
  }

  /** Every other key is a mistake. */
  only(known: readonly string[], where = ''): void {
    for (const key of Object.keys(this.#values)) {
      if (known.includes(key) || !this.has(key)) continue;
      this.report(key, `is not an option${where && ` ${where}`}; known are ${known.join(', ')}`);
    }
  }

  /** A nested object; an absent one reads as empty. */
  section(key: string, known: readonly string[]): OptionReader {
    const value = this.#values[key] ?? {};
    const usable = typeof value === 'object' && !Array.isArray(value);
    if (!usable) this.report(key, `must be an object, found ${show(value)}`);
    const section = new OptionReader(usable ? value : {}, `${this.#path}${key}.`, this.#issues);
    section.only(known);
    return section;
  }

  integer(key: string, { min, max, fallback }: NumberRule): number {
    const value = this.#values[key] ?? fallback;
    if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max)
      return value as number;
    this.report(key, `must be a whole number from ${min} to ${max}, found ${show(value)}`);
    return fallback;
  }

  number(key: string, { min, max, fallback }: NumberRule): number {
    const value = this.#values[key] ?? fallback;
    if (typeof value === 'number' && value >= min && value <= max) return value;
    this.report(key, `must be a number from ${min} to ${max}, found ${show(value)}`);
    return fallback;
  }

  boolean(key: string, fallback: boolean): boolean {
    const value = this.#values[key] ?? fallback;
    if (typeof value === 'boolean') return value;
    this.report(key, `must be true or false, found ${show(value)}`);
    return fallback;
  }

  choice<T extends string>(key: string, choices: readonly T[], fallback: T): T {
    const value = this.#values[key] ?? fallback;
    const found = choices.find((choice) => choice === value);
    if (found === undefined) this.report(key, `must be one of ${choices.join(', ')}, found ${show(value)}`);
    return found ?? fallback;
  }

  /** A required text. */
  text(key: string): string {
    const value = this.#values[key];
    if (typeof value === 'string' && value.trim() !== '') return value;
    this.report(key, `must be a text that isn't blank, found ${show(value)}`);
    return '';
  }

  /** A list of anything; an absent one reads as empty. */
  list(key: string): readonly unknown[] {
    const value = this.#values[key] ?? [];
    if (Array.isArray(value)) return value;
    this.report(key, 'must be a list');
    return [];
  }

  /** Any iterable of texts; a single text is not meant. */
  strings(key: string): string[] {
    const value = this.#values[key];
    const iterable = typeof value === 'object' && value !== null && Symbol.iterator in value;
    const items = iterable ? [...(value as Iterable<unknown>)] : [value];
    if (iterable && items.every((item) => typeof item === 'string')) return items;
    this.report(key, `must be a list of texts, found ${show(value)}`);
    return [];
  }
}

/** A value for people. */
export function show(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return String(value);
  return value === undefined ? 'nothing' : (JSON.stringify(value) ?? typeof value).slice(0, 80);
}
