import { REDACTED } from '../log/redact.ts';

// At the end only: `maxTokens`, `secretRef` and `apiKeyFile` hold no secret themselves.
const SECRET_NAME = /(secret|token|password|passphrase|api[-_]?key|private[-_]?key|authorization)$/i;

/** Whether a config key's name says that its value is a secret. */
export function soundsSecret(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** A copy of plain config data with the texts and numbers under secret-sounding keys replaced by `[redacted]`. */
export function maskSecrets(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(maskSecrets);
  const entries = Object.entries(value).map(([key, inner]) => {
    const masked = soundsSecret(key) && (typeof inner === 'string' || typeof inner === 'number');
    return [key, masked ? REDACTED : maskSecrets(inner)] as const;
  });
  return Object.fromEntries(entries);
}
