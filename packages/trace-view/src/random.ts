import { randomBytes } from 'node:crypto';

/** 192 bits that nobody can guess, in letters and digits. */
export function randomToken(): string {
  return randomBytes(24).toString('hex');
}
