import type { z } from 'zod';

const TYPE_WORDS: ReadonlyMap<string, string> = new Map([
  ['string', 'a string'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['tuple', 'a list'],
  ['object', 'a mapping'],
  ['record', 'a mapping'],
  ['null', 'null'],
  ['nonoptional', 'a value'],
]);

const FORMAT_WORDS: ReadonlyMap<string, string> = new Map([
  ['url', 'a URL'],
  ['ipv4', 'an IPv4 address'],
  ['ipv6', 'an IPv6 address'],
  ['uuid', 'a UUID'],
  ['datetime', 'an ISO 8601 date and time'],
  ['hostname', 'a host name'],
]);

/** What an issue's schema wanted, as words that follow "expected". */
export function expectedWords(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return TYPE_WORDS.get(issue.expected) ?? issue.expected;
  if (issue.code === 'invalid_value') {
    const words = issue.values.map((value) =>
      typeof value === 'string' ? JSON.stringify(value) : String(value),
    );
    return words.length === 1 ? (words[0] ?? 'another value') : `one of ${words.join(', ')}`;
  }
  if (issue.code === 'too_small') {
    return `${issue.inclusive === false ? 'more than' : 'at least'} ${amount(issue.minimum, issue.origin)}`;
  }
  if (issue.code === 'too_big') {
    return `${issue.inclusive === false ? 'less than' : 'at most'} ${amount(issue.maximum, issue.origin)}`;
  }
  if (issue.code === 'invalid_format') return formatWords(issue);
  return issue.code === 'not_multiple_of' ? `a multiple of ${issue.divisor}` : 'another value';
}

function amount(bound: number | bigint, origin: string): string {
  const plural = bound === 1 || bound === 1n ? '' : 's';
  if (origin === 'string') return `${bound} character${plural}`;
  if (origin === 'array' || origin === 'set' || origin === 'map') return `${bound} item${plural}`;
  if (origin === 'object' || origin === 'record') return `${bound} key${plural}`;
  return String(bound);
}

function formatWords(issue: z.core.$ZodIssueInvalidStringFormat): string {
  if (issue.format === 'regex' && issue.pattern !== undefined)
    return `a string that matches ${issue.pattern}`;
  const detail = issue as unknown as Record<string, unknown>;
  if (issue.format === 'starts_with') return `a string that starts with ${JSON.stringify(detail['prefix'])}`;
  if (issue.format === 'ends_with') return `a string that ends with ${JSON.stringify(detail['suffix'])}`;
  if (issue.format === 'includes') return `a string that holds ${JSON.stringify(detail['includes'])}`;
  return FORMAT_WORDS.get(issue.format) ?? `a string in the format ${issue.format}`;
}
