import { expect } from 'vitest';
import { scanMultipartFields } from '../../src/index.ts';

/** The content type of {@link form}. */
export const TYPE = 'multipart/form-data; boundary=XX';
export const crlf = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'));
export const part = (disposition: string, value: string, ...headers: string[]): string[] => [
  '--XX',
  `Content-Disposition: ${disposition}`,
  ...headers,
  '',
  value,
];
export const field = (name: string, value: string): string[] => part(`form-data; name="${name}"`, value);
export const form = (...parts: string[][]): Buffer => crlf(...parts.flat(), '--XX--', '');

export const scan = (body: Buffer, type = TYPE): unknown => {
  const found = scanMultipartFields(body, type, ['model']);
  return found.kind === 'scanned' ? found.values[0] : found;
};
export const malformed = (message: string): unknown =>
  expect.objectContaining({
    kind: 'malformed',
    offset: expect.any(Number) as number,
    message: expect.stringContaining(message) as string,
  });
