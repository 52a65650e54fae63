import { useState } from 'preact/hooks';
import type {
  OverlayEntry,
  ProviderNode,
  RequestRow,
  RunDocument,
  TopologyDocument,
  VerdictDocument,
} from '../../../src/page/state.ts';
import { countedOf } from '../../model/counted.ts';
import { share, shortRevision } from '../../model/format.ts';
import type { Place } from '../../model/place.ts';
import { lookOf, type ProviderLook } from '../../model/providers.ts';
import { useSize } from '../hooks.ts';
import { layoutTopology, type ProviderLane } from './layout.ts';
import { EdgeLabel, Node, ProviderButton } from './nodes.tsx';
import { FlowTrack } from './track.tsx';

interface TopologyProps {
  readonly topology: TopologyDocument;
  /** The overlay that serves. */
  readonly overlay: OverlayEntry | undefined;
  readonly flow: {
    readonly run: RunDocument | undefined;
    readonly verdict: VerdictDocument | undefined;
    readonly current: readonly RequestRow[];
  };
  readonly looks: readonly ProviderLook[];
  readonly place: Place;
  readonly go: (change: Partial<Place>) => void;
}

/** Taken before the first measurement. */
const ASSUMED_SIZE = { width: 800, height: 0 };

/** Client, gateway, providers and backends, with counts and shares on the tracks between them. */
export function Topology(props: TopologyProps) {
  const { topology, overlay, flow, looks } = props;
  const [ref, size] = useSize<HTMLDivElement>(ASSUMED_SIZE);
  const [moving, setMoving] = useState(true);
  const layout = layoutTopology(size, topology.providers.length);
  const running = flow.run?.phase === 'running';
  const failed = flow.current.filter(({ status }) => status !== 200).length;
  const lanes = topology.providers.map((provider, index) => ({ provider, lane: layout.lanes[index] }));
  return (
    <section class="card topology" aria-labelledby="topology">
      <h2 id="topology">
        Who got what <small>counted on every track</small>
        <button type="button" class="quiet" aria-pressed={!moving} onClick={() => setMoving(!moving)}>
          Pause motion
        </button>
      </h2>
      <div
        ref={ref}
        class={`map ${layout.narrow ? 'narrow' : 'wide'} ${running && moving ? 'flowing' : ''}`}
        style={{ minHeight: `${layout.least}px` }}
      >
        <svg width={size.width} height={layout.height} aria-hidden="true" focusable="false">
          <path class="track overlay" d={layout.overlay.path} />
          <FlowTrack track={layout.toGateway} share={1} hue="hue-none" state="up" />
          {lanes.map(
            ({ provider, lane }) =>
              lane && <LaneTracks key={provider.name} provider={provider} lane={lane} {...props} />,
          )}
        </svg>
        <Node box={layout.client} title={topology.client} about="one at a time" />
        <Node
          box={layout.gateway}
          title={topology.gateway}
          about={`overlay ${shortRevision(overlay?.revision ?? null).slice(0, 8)}`}
        />
        <Node
          box={layout.controller}
          title={topology.controller.name}
          about={topology.controller.state}
          state={topology.controller.state}
        />
        <EdgeLabel at={layout.toGateway.label} text={String(countedOf(flow.verdict))} failed={failed} />
        <EdgeLabel at={layout.overlay.label} text="overlay file" quiet />
        {lanes.map(
          ({ provider, lane }) =>
            lane && (
              <Lane
                key={provider.name}
                provider={provider}
                lane={lane}
                look={lookOf(looks, provider.name)}
                {...props}
              />
            ),
        )}
      </div>
    </section>
  );
}

interface LaneProps extends TopologyProps {
  readonly provider: ProviderNode;
  readonly lane: ProviderLane;
}

function LaneTracks({ provider, lane, flow, looks }: LaneProps) {
  const { hue } = lookOf(looks, provider.name);
  const part = (flow.verdict?.counts.client[provider.name] ?? 0) / Math.max(1, countedOf(flow.verdict));
  return (
    <>
      <FlowTrack track={lane.toProvider} share={part} hue={hue} state={provider.state} />
      <FlowTrack track={lane.toBackend} share={part} hue={hue} state={provider.state} />
    </>
  );
}

function Lane({ provider, lane, flow, place, go, look }: LaneProps & { readonly look: ProviderLook }) {
  const { counts } = flow.verdict ?? {};
  const chosen = counts?.gateway[provider.name] ?? 0;
  const total = Object.values(counts?.gateway ?? {}).reduce((sum, count) => sum + count, 0);
  return (
    <>
      <EdgeLabel
        at={lane.toProvider.label}
        text={String(chosen)}
        part={share(chosen, total)}
        failed={provider.failedAttempts}
        look={look}
      />
      <ProviderButton
        box={lane.provider}
        provider={provider}
        look={look}
        pressed={place.provider === provider.name}
        press={() => go({ provider: place.provider === provider.name ? null : provider.name })}
      />
      <EdgeLabel at={lane.toBackend.label} text={String(counts?.backend[provider.name] ?? 0)} look={look} />
      <Node box={lane.backend} title={provider.backend} about="recorded" />
    </>
  );
}
