import { z } from 'zod';

const internalPrefix = /^x-(?:ai-routing|ai-provider|switchyard)-/;

/** A request header's name: an HTTP token outside the gateway's own namespaces, kept in lower case. */
export const headerName: z.ZodType<string> = z
  .string()
  .regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, { error: 'expected the name of an HTTP header' })
  .toLowerCase()
  .refine((name) => !internalPrefix.test(name), {
    error:
      'x-ai-routing-*, x-ai-provider-* and x-switchyard-* are removed from every request, so they cannot be read',
  });
