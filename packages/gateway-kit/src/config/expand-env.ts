/** One `${...}` of a config file. */
interface EnvReference {
  /** As written: `${PORT:-8080}`. */
  readonly raw: string;
  /** UTF-16 offset in the file. */
  readonly offset: number;
}

/** A config text in which each reference is replaced by an equally long token that no YAML rule can split. */
export interface MaskedText {
  readonly text: string;
  readonly references: readonly EnvReference[];
}

/** What a text became after its references were looked up. */
export interface Expansion {
  readonly text: string;
  /** The references that took their value from the environment, as written. */
  readonly fromEnv: readonly string[];
  readonly problems: readonly ExpansionProblem[];
}

/** A reference that could not be expanded. */
interface ExpansionProblem {
  /** UTF-16 offset in the file; absent when the place is only known as "this value". */
  readonly offset?: number;
  readonly message: string;
}

// Private-use characters: legal in every YAML scalar, special to none. Same length as the reference, so that
// the positions the parser reports are those of the file.
const OPEN = '\uE000';
const FILL = '\uE001';
const CLOSE = '\uE002';
const DIGIT_BASE = 0xe100;
const DIGITS = 2048;
const TOKEN = /\uE000([\uE100-\uE8FF])([\uE100-\uE8FF])\uE001*\uE002/g;
const REFERENCE = /\$?\$\{[^}\n]+\}/g;
const WELL_FORMED = /^\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?\}$/;

const EXPECTED = `expected \${NAME} or \${NAME:-default}; write $\${ for a literal "\${"`;

/**
 * Hides the references from the YAML parser, so that neither `{`, `}` in a flow mapping nor a `: ` or `#` in a default,
 * nor anything in a variable's value, is ever read as YAML structure.
 */
export function maskReferences(text: string): MaskedText {
  const references: EnvReference[] = [];
  const masked = text.replace(REFERENCE, (raw: string, offset: number) => {
    const index = references.length;
    if (index >= DIGITS * DIGITS) return raw;
    references.push({ raw, offset });
    const high = String.fromCharCode(DIGIT_BASE + Math.floor(index / DIGITS));
    const low = String.fromCharCode(DIGIT_BASE + (index % DIGITS));
    return OPEN + high + low + FILL.repeat(raw.length - 4) + CLOSE;
  });
  return { text: masked, references };
}

/** Offset of the first character that {@link maskReferences} needs for itself, or -1. */
export function reservedCharacter(text: string): number {
  return text.search(/[\uE000-\uE002]/);
}

/** Puts the references back as they were written: for keys, for messages. */
export function unmask(text: string, masked: MaskedText): string {
  return replaceTokens(text, masked, (reference) => reference.raw);
}

/**
 * Replaces `${NAME}` and `${NAME:-default}` (the default also stands in for an empty variable) by their values.
 * `$${` is a literal `${`. Values are taken as they are: they are not expanded again.
 */
export function expandReferences(text: string, masked: MaskedText, env: NodeJS.ProcessEnv): Expansion {
  const problems: ExpansionProblem[] = [];
  const fromEnv: string[] = [];
  const withoutTokens = text.replace(TOKEN, '');
  if (withoutTokens.includes('${')) {
    problems.push({
      message: `found "\${" without a name and "}", ${EXPECTED}`,
    });
  }
  const expanded = replaceTokens(text, masked, (reference) => {
    if (reference.raw.startsWith('$${')) return reference.raw.slice(1);
    const match = WELL_FORMED.exec(reference.raw);
    const name = match?.[1];
    const fallback = match?.[2];
    // "${A:-${B}}" ends at the first "}": saying so beats a default that reads "${B".
    if (name === undefined || fallback?.includes('${') === true) {
      const message = `found ${reference.raw}, ${EXPECTED}`;
      problems.push({ offset: reference.offset, message });
      return '';
    }
    const value = env[name];
    if (value !== undefined && (value !== '' || fallback === undefined)) {
      fromEnv.push(reference.raw);
      return value;
    }
    if (fallback !== undefined) return fallback;
    const message = `environment variable ${name} is not set; set it, or give a default: \${${name}:-value}`;
    problems.push({ offset: reference.offset, message });
    return '';
  });
  return { text: expanded, fromEnv, problems };
}

function replaceTokens(
  text: string,
  masked: MaskedText,
  replace: (reference: EnvReference) => string,
): string {
  return text.replace(TOKEN, (token: string, high: string, low: string) => {
    const index = (high.charCodeAt(0) - DIGIT_BASE) * DIGITS + (low.charCodeAt(0) - DIGIT_BASE);
    const reference = masked.references[index];
    return reference === undefined ? token : replace(reference);
  });
}
