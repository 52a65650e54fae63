import { expect } from 'vitest';

/** Vitest's matchers are typed `any`; these are not, so a test can put them into a typed object knowingly. */
export const containing = (text: string): unknown => expect.stringContaining(text);
export const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
export const anyNumber = (): unknown => expect.any(Number);
