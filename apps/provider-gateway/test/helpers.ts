import type { FaultUpstream } from '@switchyard/test-kit';

export const CANDIDATE = '218148b9';
export const REVISION = 'a'.repeat(64);
export const CHAT = '/v1/chat/completions';
export const BODY = JSON.stringify({ model: 'demo-model', messages: [{ role: 'user', content: 'hi' }] });

/** Headers of a well-behaved consumer gateway. */
export const HOP = {
  'content-type': 'application/json',
  'x-ai-routing-candidate': CANDIDATE,
  'x-ai-routing-request-id': 'req-1',
  'x-ai-routing-revision': REVISION,
};

/** A config with one route to one backend. */
export function config(backend: Pick<FaultUpstream, 'origin'>, more: Record<string, unknown> = {}): object {
  return {
    listen: { port: 0 },
    admin: { port: 0 },
    providerId: 'provider-a',
    peers: { auth: 'insecure-plaintext' },
    routes: [{ candidateId: CANDIDATE, model: 'demo-model', paths: [CHAT, '/mcp'], cluster: 'backend' }],
    clusters: [{ name: 'backend', policy: 'least_request', endpoints: [{ url: backend.origin }] }],
    ...more,
  };
}
