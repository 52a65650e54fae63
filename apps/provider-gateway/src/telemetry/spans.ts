import {
  GEN_AI_ATTRIBUTES,
  HTTP_CLIENT_ATTRIBUTES,
  HTTP_SERVER_ATTRIBUTES,
  type SpanDefinition,
} from '@switchyard/gateway-kit';

/** What the hop headers say, on the CLIENT span. */
export type HopAttribute = 'selected.stable_id' | 'overlay.revision.serving';

/** All spans of this gateway. */
export const SPANS: readonly SpanDefinition[] = [
  {
    name: '{method} {route}, or {method} when no route has the path',
    kind: 'SERVER',
    help: "One per request, from its head to the answer's last byte. Continues the consumer gateway's trace.",
    attributes: HTTP_SERVER_ATTRIBUTES,
  },
  {
    name: '{operation} {model}, or {method} for a path that the conventions do not know',
    kind: 'CLIENT',
    help: 'The call of the backend, from the connection to the last byte; a child of the SERVER span.',
    attributes: {
      ...HTTP_CLIENT_ATTRIBUTES,
      ...GEN_AI_ATTRIBUTES,
      'selected.stable_id': {
        type: 'string',
        help: 'Candidate that the consumer gateway chose.',
        bound: 'configured routes',
      },
      'overlay.revision.serving': {
        type: 'string',
        help: 'Revision that the consumer gateway chose by; absent when it did not say.',
        bound: 'overlay; 64 hex digits',
      },
    },
  },
];
