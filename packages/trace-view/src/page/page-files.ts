import { fileURLToPath } from 'node:url';

/**
 * Folder of the built page: `index.html`, `page.js`, `page.css` and nothing else. Serve it with
 * {@link PAGE_SECURITY_POLICY}.
 */
export function pageDirectory(): string {
  // The same from `src/page` and from `dist/page`.
  return fileURLToPath(new URL('../../dist/browser/', import.meta.url));
}

/** `Content-Security-Policy` of the served page. It loads nothing but its own files and talks to nobody but its server. */
export const PAGE_SECURITY_POLICY: string = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
