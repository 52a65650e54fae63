import { z } from 'zod';
import type { Labels, Opaque, SiteSelector } from '../model.ts';
import { DURATION_PATTERN } from '../text/durations.ts';

/** The bound of every identifier in the overlay contract, in UTF-8 bytes. */
const IDENTIFIER_MAX_BYTES = 256;

/** A name that may end up in an overlay: 1 to 256 UTF-8 bytes, not blank, no control characters, well-formed. */
export const identifier: z.ZodType<string, string> = z.string().superRefine((text, context) => {
  const fault = identifierFault(text);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
});

function identifierFault(text: string): string | undefined {
  if (text.trim() === '') return 'must not be blank';
  if (new TextEncoder().encode(text).length > IDENTIFIER_MAX_BYTES) {
    return `is longer than ${IDENTIFIER_MAX_BYTES} bytes`;
  }
  if (/[\p{Cc}\p{Surrogate}]/u.test(text)) return 'must not contain control characters or lone surrogates';
  return undefined;
}

/** A whole number of seconds or milliseconds above zero. */
export const duration: z.ZodType<string, string> = z.string().regex(DURATION_PATTERN, {
  error: 'expected a whole number above 0 with the unit s or ms, such as 2s or 500ms',
});

/** Whole seconds above zero, where upstream accepts nothing finer. */
export const wholeSeconds: z.ZodType<string, string> = z.string().regex(/^[1-9][0-9]{0,8}s$/, {
  error: 'expected a whole number of seconds above 0, such as 10s',
});

/** An absolute http or https URL without user information: a secret has no place in a manifest. */
export const endpointUrl: z.ZodType<string, string> = z.string().superRefine((text, context) => {
  const fault = endpointFault(text);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
});

function endpointFault(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return 'expected an absolute URL with the scheme http or https, such as http://127.0.0.1:8101';
  }
  if (url.username !== '' || url.password !== '') {
    return 'must not contain a user name or password; use spec.auth.secretRef';
  }
  return undefined;
}

/** A URL path with its leading slash, query allowed. */
export const urlPath: z.ZodType<string, string> = z
  .string()
  .regex(/^\/[^\s#]*$/, { error: 'expected a path that starts with "/", such as /health' });

/** String to string. Numbers and booleans are refused: YAML authors mean a text and have to quote it. */
export const labels: z.ZodType<Labels> = z.record(z.string(), z.string());

/** Label selector; only equality, as upstream. */
export const siteSelector: z.ZodType<SiteSelector> = z.strictObject({ matchLabels: labels.exactOptional() });

/** A part that is carried as it is. */
export const opaque: z.ZodType<Opaque> = z.record(z.string(), z.unknown());
