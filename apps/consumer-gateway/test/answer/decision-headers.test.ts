import { describe, expect, it } from 'vitest';
import { withDecisionHeaders } from '../../src/answer/decision-headers.ts';
import { decision } from '../support/decision.ts';

describe('withDecisionHeaders', () => {
  it('adds the six headers after the provider’s own', () => {
    expect(
      withDecisionHeaders(['Content-Type', 'a/b', 'set-cookie', '1', 'Set-Cookie', '2'], decision()),
    ).toEqual([
      'Content-Type',
      'a/b',
      'set-cookie',
      '1',
      'Set-Cookie',
      '2',
      'x-switchyard-provider',
      'provider-a',
      'x-switchyard-group',
      '0',
      'x-switchyard-policy',
      'round_robin',
      'x-switchyard-affinity',
      'disabled',
      'x-switchyard-attempts',
      '1',
      'x-switchyard-revision',
      '0123456789ab',
    ]);
  });

  it('removes a provider’s copies, also when ours are switched off', () => {
    const headers = ['X-Switchyard-Provider', 'forged', 'x-switchyard-extra', 'forged', 'x', 'kept'];
    expect(withDecisionHeaders(headers, undefined)).toEqual(['x', 'kept']);
    expect(withDecisionHeaders(headers, decision())).not.toContain('forged');
  });

  it('removes what a provider echoes of the hop between the gateways', () => {
    const headers = [
      'X-AI-Routing-Candidate',
      'echoed',
      'x-ai-provider-attribution',
      'echoed',
      'x-ai-own',
      'kept',
    ];
    expect(withDecisionHeaders(headers, undefined)).toEqual(['x-ai-own', 'kept']);
  });

  it('says "none" for a capability without groups', () => {
    const headers = withDecisionHeaders([], decision({ group: null }));
    expect(headers[headers.indexOf('x-switchyard-group') + 1]).toBe('none');
  });

  it('keeps a cluster name that is no header text readable', () => {
    const { candidate } = decision();
    const headers = withDecisionHeaders([], decision({ candidate: { ...candidate, cluster: 'münchen\n' } }));
    expect(headers[1]).toBe('m%C3%BCnchen%0A');
  });
});
