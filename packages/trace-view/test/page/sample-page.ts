import type { OverlayEntry, PageDocuments, RequestRow } from '../../src/page/state.ts';

export const PROVIDERS = ['provider-a', 'provider-b', 'provider-c'] as const;
export const REVISION = '65a36cde2d06'.padEnd(64, '0');

/** Request number `n`, from 1, answered in turn. */
export function requestRow(number: number, change: Partial<RequestRow> = {}): RequestRow {
  return {
    number,
    run: 1,
    traceId: number.toString(16).padStart(32, '0'),
    sentAtMs: 1_795_996_788_000 + number * 100,
    provider: PROVIDERS[(number - 1) % 3] ?? null,
    group: 0,
    policy: 'round_robin',
    affinity: 'disabled',
    attempts: 1,
    status: 200,
    ttfbMs: 12,
    totalMs: 15,
    stream: false,
    revision: REVISION.slice(0, 12),
    error: null,
    ...change,
  };
}

/** The overlay that served all of them; `admission` and `group` of some may differ. */
export function overlayEntry(
  change: Readonly<Record<string, { admission?: string; group?: number }>> = {},
  policy = 'round_robin',
): OverlayEntry {
  return {
    at: '2026-11-29T23:59:46.930Z',
    outcome: 'accepted',
    revision: REVISION,
    generation: 1,
    policy,
    code: null,
    message: 'The first overlay.',
    candidates: PROVIDERS.map((provider, rank) => ({
      provider,
      site: provider.replace('provider', 'site'),
      stableId: `id-${provider}`,
      rank,
      group: 0,
      admission: 'new_and_existing',
      fresh: true,
      weight: null,
      ...change[provider],
    })),
  };
}

const sampleControls: PageDocuments['controls'] = {
  busy: null,
  groups: [
    {
      title: 'Traffic',
      controls: [
        {
          id: 'again',
          action: 'again',
          input: { requests: 3 },
          label: 'Run again',
          help: 'Sends them again',
          pressed: null,
          disabled: null,
        },
        {
          id: 'policy',
          action: 'policy',
          input: {},
          label: 'round robin',
          help: 'In turn',
          pressed: true,
          disabled: 'wait: busy',
        },
      ],
    },
  ],
};

/** Documents of a run of that many requests. */
export function sampleDocuments(requests: number): PageDocuments {
  const counts = Object.fromEntries(
    PROVIDERS.map((provider, index) => [provider, Math.floor((requests + 2 - index) / 3)]),
  );
  return {
    run: {
      title: 'Sample',
      phase: 'idle',
      message: 'Recorded.',
      run: 1,
      requested: requests,
      policy: 'round_robin',
      startedAt: '2026-11-29T23:59:48.084Z',
      durationMs: 6000,
      tryByHand: null,
    },
    verdict: {
      state: 'passed',
      split: 'exact',
      counts: { client: counts, gateway: counts, backend: counts },
      proofs: [
        { id: 'split', title: 'The split is exact', state: 'holds', summary: 'all agree', facts: { counts } },
      ],
    },
    topology: {
      client: 'client',
      gateway: 'consumer-gateway',
      controller: { name: 'grid-controller', state: 'stopped' },
      providers: PROVIDERS.map((name) => ({
        name,
        site: name.replace('provider', 'site'),
        backend: name.replace('provider', 'backend'),
        state: 'up',
        failedAttempts: 0,
      })),
    },
    requests: Array.from({ length: requests }, (_, index) => requestRow(index + 1)),
    overlays: [overlayEntry()],
    ejections: [],
    controls: sampleControls,
    activity: [],
    evidence: { verify: null, files: [{ name: 'results.json', href: 'results.json', about: 'the verdict' }] },
  };
}

/** A finished run over eight providers, in every state and with names longer than there is room for. */
export function crowdedDocuments(): PageDocuments {
  const documents = sampleDocuments(80);
  const names = [...'abcdefgh'].map(
    (letter) => `provider-in-a-region-far-to-the-north-of-everybody-${letter}`,
  );
  const counts = Object.fromEntries(names.map((name) => [name, 10]));
  const states = ['up', 'draining', 'down', 'ejected'] as const;
  return {
    ...documents,
    verdict: { ...documents.verdict, counts: { client: counts, gateway: counts, backend: counts } },
    topology: {
      ...documents.topology,
      providers: names.map((name, index) => ({
        name,
        site: `site-of-${name}`,
        backend: `backend-of-${name}`,
        state: states[index % states.length] ?? 'up',
        failedAttempts: index,
      })),
    },
    requests: documents.requests.map((row, index) => ({ ...row, provider: names[index % 8] ?? null })),
    overlays: [
      {
        ...overlayEntry(),
        candidates: names.flatMap((provider) =>
          overlayEntry()
            .candidates.slice(0, 1)
            .map((candidate) => ({ ...candidate, provider, stableId: provider })),
        ),
      },
    ],
  };
}

interface SampleSpan {
  readonly service: string;
  readonly kind: number;
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string | number>>;
  readonly error?: boolean;
}

/** The spans of one request, outside in, each the child of the one before; `routing.select` stands beside its sibling. */
const CHAIN: readonly SampleSpan[] = [
  { service: 'demo-client', kind: 3, name: 'POST /v1/chat/completions' },
  { service: 'consumer-gateway', kind: 2, name: 'POST /v1/chat/completions' },
  { service: 'consumer-gateway', kind: 1, name: 'routing.select' },
  { service: 'consumer-gateway', kind: 3, name: 'POST' },
  { service: 'provider-gateway', kind: 2, name: 'POST /v1/chat/completions' },
  { service: 'provider-gateway', kind: 3, name: 'chat demo-model' },
  { service: 'vcr-backend', kind: 2, name: 'POST /v1/chat/completions' },
];
/** Whose child each of them is, as an index into {@link CHAIN}. */
const PARENTS = [-1, 0, 1, 1, 3, 4, 5];

/** An OTLP/JSON export of one request's seven spans, in the wrong order; `without` leaves some out by index. */
export function sampleExport({ traceId, provider }: RequestRow, without: readonly number[] = []): string {
  const spans = CHAIN.map((span, index) => ({ span, index }))
    .filter(({ index }) => !without.includes(index))
    .reverse();
  return JSON.stringify({
    resourceSpans: spans.map(({ span, index }) => ({
      resource: {
        attributes: [
          text('service.name', span.service),
          text('service.instance.id', span.service === 'provider-gateway' ? (provider ?? '') : span.service),
        ],
      },
      scopeSpans: [
        {
          scope: { name: 'switchyard' },
          spans: [
            {
              traceId,
              spanId: spanId(index),
              parentSpanId: index === 0 ? '' : spanId(PARENTS[index] ?? 0),
              name: span.name,
              kind: span.kind,
              startTimeUnixNano: String(1_795_996_788_000_000_000n + BigInt(index * 1_000_000)),
              endTimeUnixNano: String(1_795_996_788_100_000_000n - BigInt(index * 1_000_000)),
              attributes: [
                ...(span.service === 'consumer-gateway' ? [text('selected.provider', provider ?? '')] : []),
                ...(span.name === 'routing.select' ? decision() : []),
              ],
              status: {},
            },
          ],
        },
      ],
    })),
  });
}

function spanId(index: number): string {
  return (index + 1).toString(16).padStart(16, '0');
}

function decision(): object[] {
  return [
    text('routing.policy', 'round_robin'),
    text('routing.reason', 'round_robin'),
    text('overlay.revision.serving', REVISION),
  ];
}

function text(key: string, stringValue: string): object {
  return { key, value: { stringValue } };
}
