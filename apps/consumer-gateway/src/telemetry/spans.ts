import type { AffinityOutcome, DecisionReason, RouteResult } from '@switchyard/ai-route';
import {
  type AttributeCatalogue,
  GEN_AI_ATTRIBUTES,
  HTTP_CLIENT_ATTRIBUTES,
  HTTP_SERVER_ATTRIBUTES,
  type SpanDefinition,
} from '@switchyard/gateway-kit';
import { ADMISSION_STATES, CANDIDATE_KINDS, SELECTION_POLICIES } from '@switchyard/overlay-contract';

/** Attributes that tell a decision. */
export type DecisionAttribute =
  | 'routing.policy'
  | 'routing.group'
  | 'routing.kind'
  | 'routing.rank'
  | 'routing.admission_state'
  | 'routing.affinity'
  | 'routing.attempt'
  | 'routing.fallthrough'
  | 'routing.reason'
  | 'selected.provider'
  | 'selected.site'
  | 'selected.cluster'
  | 'selected.stable_id'
  | 'overlay.revision.accepted'
  | 'overlay.revision.serving';

// Records and not lists: a value that ai-route adds or drops is an error here.
const AFFINITY: Readonly<Record<AffinityOutcome, true>> = {
  created: true,
  reused: true,
  failed_over: true,
  disabled: true,
};
const REASONS: Readonly<Record<DecisionReason | Extract<RouteResult, { ok: false }>['reason'], true>> = {
  first_in_order: true,
  round_robin: true,
  random: true,
  weighted_random: true,
  weighted_round_robin: true,
  affinity: true,
  state: true,
  last_resort: true,
  unknown_capability: true,
  no_viable_candidate: true,
  state_unavailable: true,
  not_ready: true,
};

const DECISION_ATTRIBUTES: AttributeCatalogue<DecisionAttribute> = {
  'routing.policy': { type: 'string', help: 'Selection policy in force.', values: SELECTION_POLICIES },
  'routing.group': {
    type: 'int',
    help: 'Selection group; absent when the overlay has none.',
    bound: 'groups of the overlay',
  },
  'routing.kind': { type: 'string', help: 'What was asked for.', values: CANDIDATE_KINDS },
  'routing.rank': {
    type: 'int',
    help: "The candidate's rank; absent when the overlay has none.",
    bound: 'candidates of the overlay',
  },
  'routing.admission_state': {
    type: 'string',
    help: 'Which sessions the candidate takes.',
    values: ADMISSION_STATES,
  },
  'routing.affinity': {
    type: 'string',
    help: 'What session affinity had to say; never the session key.',
    values: Object.keys(AFFINITY),
  },
  'routing.attempt': { type: 'int', help: '1 for the first try of a request.', bound: 'configured attempts' },
  'routing.fallthrough': {
    type: 'boolean',
    help: 'Whether this attempt left the group of the one before it.',
    values: [true, false],
  },
  'routing.reason': {
    type: 'string',
    help: 'How the candidate was found, or why there is none.',
    values: Object.keys(REASONS),
  },
  'selected.provider': { type: 'string', help: 'The provider, named by its cluster.', bound: 'overlay' },
  'selected.site': { type: 'string', help: "The provider's site.", bound: 'overlay' },
  'selected.cluster': { type: 'string', help: 'Cluster of this gateway.', bound: 'configured clusters' },
  'selected.stable_id': { type: 'string', help: "The candidate's stable id.", bound: 'overlay' },
  'overlay.revision.accepted': {
    type: 'string',
    help: 'Newest revision that was accepted when the decision was made.',
    bound: 'overlay; 64 hex digits',
  },
  'overlay.revision.serving': {
    type: 'string',
    help: 'Revision that explains the decision.',
    bound: 'overlay; 64 hex digits',
  },
};

/** All spans of this gateway. */
export const SPANS: readonly SpanDefinition[] = [
  {
    name: '{method} {route}',
    kind: 'SERVER',
    help: "One per proxied request, from its head to the answer's last byte. Continues the caller's trace.",
    attributes: {
      ...HTTP_SERVER_ATTRIBUTES,
      'selected.provider': {
        type: 'string',
        help: 'Cluster that answered; absent when none was tried.',
        bound: 'configured clusters',
      },
    },
  },
  {
    name: 'routing.select',
    kind: 'INTERNAL',
    help: 'The first decision of a request; a child of the SERVER span.',
    attributes: DECISION_ATTRIBUTES,
  },
  {
    name: '{method}, or {operation} {model} on the hop that calls the model',
    kind: 'CLIENT',
    help: 'One per attempt, from the connection to the last byte; a child of the SERVER span.',
    attributes: {
      ...HTTP_CLIENT_ATTRIBUTES,
      'http.request.resend_count': {
        type: 'int',
        help: 'Attempts before this one; absent on the first.',
        bound: 'configured attempts',
      },
      ...DECISION_ATTRIBUTES,
      ...GEN_AI_ATTRIBUTES,
    },
  },
];
