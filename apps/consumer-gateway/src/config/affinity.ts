import { z } from 'zod';
import { headerName } from './header-name.ts';

/** Where a session's key is looked for, how it is kept and how long it counts; after validation, with defaults applied. */
export interface AffinityConfig {
  readonly enabled: boolean;
  readonly mode: 'table' | 'rendezvous' | 'cookie';
  readonly onReturn: 'stay' | 'failBack';
  readonly header: string;
  readonly cookie: string;
  readonly ttlSeconds: number;
  readonly capacity: number;
  readonly keyFile?: string;
}

/** How sessions stay with their providers. */
export const affinitySchema: z.ZodType<AffinityConfig> = z
  .strictObject({
    enabled: z.boolean().default(true),
    /** Who remembers: this process, nobody (it follows from the key), or the client by a signed cookie. */
    mode: z.enum(['table', 'rendezvous', 'cookie']).default('table'),
    /** What becomes of a session that failed over when its own provider is viable again. */
    onReturn: z.enum(['stay', 'failBack']).default('stay'),
    /** Header with the session's key; asked first. */
    header: headerName.default('x-session-id'),
    /** Cookie with the session's key; asked when the header has none. In mode "cookie" it is set by this gateway. */
    cookie: z
      .string()
      .regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, { error: 'expected the name of a cookie' })
      .default('switchyard_session'),
    /** Sliding lifetime of a binding, in seconds. */
    ttlSeconds: z.int().min(1).max(86_400).default(3600),
    /** Most bindings kept at once; those go first that never proved right. */
    capacity: z.int().min(1).max(10_000_000).default(100_000),
    /** Keys that sign the cookie, one per line in base64; the first one signs, all verify. */
    keyFile: z.string().min(1).exactOptional(),
  })
  .superRefine((affinity, context) => {
    const refuse = (key: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [key], message });
    const signed = affinity.mode === 'cookie';
    if (signed && affinity.keyFile === undefined)
      refuse('keyFile', 'mode "cookie" needs "keyFile": the keys that sign the cookie');
    if (!signed && affinity.keyFile !== undefined)
      refuse('keyFile', '"keyFile" has no effect without mode "cookie"');
    if (affinity.mode === 'rendezvous' && affinity.onReturn === 'failBack')
      refuse('onReturn', '"onReturn" has no effect in mode "rendezvous": its sessions always return');
  });
