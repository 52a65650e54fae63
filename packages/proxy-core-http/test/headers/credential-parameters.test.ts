import { describe, expect, it } from 'vitest';
import { CREDENTIAL_PARAMETERS, withoutCredentialParameters } from '../../src/index.ts';

describe('a request target', () => {
  it.each([
    ['/v1/x?key=AIza', '/v1/x'],
    ['/v1/x?a=%2F%2f&key=AIza&b=+&&c', '/v1/x?a=%2F%2f&b=+&&c'],
    ['/v1/x?KEY=1&a=1', '/v1/x?a=1'],
    ['/v1/x?a=1&%6bey=1', '/v1/x?a=1'],
    ['/v1/x?key', '/v1/x'],
    ['/v1/x?a=1&api_key=1&access_token=2', '/v1/x?a=1'],
  ])('%s goes on as %s', (target, kept) => {
    expect(withoutCredentialParameters(target)).toBe(kept);
  });

  it.each(['/v1/x', '/v1/x?', '/v1/x?a=key&monkey=1&keys=2&=key', '/v1/x?a=%zz&%zz=1&&', '/v1/key?b=?key'])(
    '%s goes on as it is',
    (target) => {
      expect(withoutCredentialParameters(target)).toBe(target);
    },
  );

  it('loses every known parameter', () => {
    for (const name of CREDENTIAL_PARAMETERS)
      expect(withoutCredentialParameters(`/x?${name}=s&a`)).toBe('/x?a');
  });
});
