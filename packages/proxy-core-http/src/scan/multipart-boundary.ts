import { parseParameters } from './header-parameters.ts';

/** Most characters of a boundary (RFC 2046 §5.1.1). */
const BOUNDARY_CHARS_MAX = 70;

/** The characters a boundary may have; a space only inside (RFC 2046 §5.1.1, and `.` `_` as used by all). */
const BOUNDARY = /^[\w'()+,\-./:=? ]*[\w'()+,\-./:=?]$/;

/**
 * The boundary that a `content-type` header declares, or what was expected instead.
 *
 * @internal
 */
export function multipartBoundary(
  contentType: string,
): { readonly ok: true; readonly boundary: string } | { readonly ok: false; readonly expected: string } {
  const parsed = parseParameters(contentType);
  if (parsed === undefined || parsed.value.toLowerCase() !== 'multipart/form-data')
    return { ok: false, expected: 'the content type multipart/form-data with well-formed parameters' };
  const boundaries = parsed.parameters.filter(
    ({ name }) => name === 'boundary' || name.startsWith('boundary*'),
  );
  const [only] = boundaries;
  if (only === undefined || boundaries.length > 1 || only.name !== 'boundary')
    return { ok: false, expected: 'exactly one boundary parameter in the content type' };
  if (only.value.length > BOUNDARY_CHARS_MAX || !BOUNDARY.test(only.value))
    return {
      ok: false,
      expected: `a boundary of 1 to ${BOUNDARY_CHARS_MAX} characters allowed by RFC 2046`,
    };
  return { ok: true, boundary: only.value };
}
