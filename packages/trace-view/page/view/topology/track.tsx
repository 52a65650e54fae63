import type { ProviderNode } from '../../../src/page/state.ts';
import type { Track } from './layout.ts';

interface FlowTrackProps {
  readonly track: Track;
  /** Part of the traffic that runs here, 0 to 1: the track's width. */
  readonly share: number;
  readonly hue: string;
  readonly state: ProviderNode['state'];
}

const WIDTH = { least: 2, most: 12 } as const;

/** A track as wide as its share; wagons run along it while traffic flows. */
export function FlowTrack({ track, share, hue, state }: FlowTrackProps) {
  const width = WIDTH.least + (WIDTH.most - WIDTH.least) * share;
  return (
    <g class={`${hue} ${state}`}>
      <path class="track" d={track.path} stroke-width={width} />
      {share > 0 && state !== 'down' && (
        <path class="wagons" d={track.path} stroke-width={Math.max(3, width * 0.45)} />
      )}
    </g>
  );
}
