import type { SpanRecord } from '@switchyard/demo-kit';
import type { Moment, Records, StepId, StepRequest } from '../records/types.ts';

/** The near providers in their canonical order, and the far ones. */
export const NEAR: readonly string[] = ['provider-a', 'provider-b', 'provider-c'];
export const FAR: readonly string[] = ['provider-d', 'provider-e'];

/** The near providers that take new requests while provider-b drains. */
export const OPEN: readonly string[] = ['provider-a', 'provider-c'];

/** The requests of a step that belong to no session: new work that anybody may do. */
export function unbound({ requests }: Records, step: StepId): StepRequest[] {
  return requests.filter((request) => request.step === step && request.session === null);
}

/** The requests of a step that belong to sessions. */
export function bound({ requests }: Records, step: StepId): StepRequest[] {
  return requests.filter((request) => request.step === step && request.session !== null);
}

/** Who answered, in order. */
export function sequenceOf(requests: readonly StepRequest[]): string[] {
  return requests.map(({ provider }) => provider ?? 'nobody');
}

/** Whether `sequence` goes round `members` in their order, from whichever it begins with, everyone equally often. */
export function takesTurns(sequence: readonly string[], members: readonly string[]): boolean {
  const start = members.indexOf(sequence[0] ?? '');
  const inTurn = sequence.every((name, index) => name === members[(start + index) % members.length]);
  return start !== -1 && inTurn && sequence.length % members.length === 0;
}

/** The provider that each session was last answered by before `step` began. */
export function homesBefore({ requests }: Records, step: StepId): Map<string, string> {
  const first = requests.findIndex((request) => request.step === step);
  const homes = new Map<string, string>();
  for (const { session, provider } of requests.slice(0, first)) {
    if (session !== null && provider !== null) homes.set(session, provider);
  }
  return homes;
}

/** How things stood at the end of a step. */
export function momentOf({ observations }: Records, step: StepId): Moment | undefined {
  return observations.moments.find((moment) => moment.step === step);
}

/** The providers that a request tried, in order, from the gateway's CLIENT spans. */
export function triedBy(spans: readonly SpanRecord[], request: StepRequest): string[] {
  return spans
    .filter(
      ({ traceId, service, kind }) =>
        traceId === request.traceId && service === 'consumer-gateway' && kind === 'client',
    )
    .toSorted((a, b) => Number(a.attributes['routing.attempt']) - Number(b.attributes['routing.attempt']))
    .map(({ attributes }) => String(attributes['selected.provider']));
}
