import type { JSX } from 'preact';
import type { ProviderNode } from '../../../src/page/state.ts';
import type { ProviderLook } from '../../model/providers.ts';
import { Badge } from '../marks.tsx';
import type { Box, Track } from './layout.ts';

function placed({ x, y, width, height }: Box): JSX.CSSProperties {
  return { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` };
}

/** A party of the picture. */
export function Node(props: {
  readonly box: Box;
  readonly title: string;
  readonly about: string;
  readonly state?: string;
}) {
  return (
    <div class={`node ${props.state ?? ''}`} style={placed(props.box)}>
      <b>{props.title}</b>
      <small>{props.about}</small>
    </div>
  );
}

interface ProviderButtonProps {
  readonly box: Box;
  readonly provider: ProviderNode;
  readonly look: ProviderLook;
  readonly pressed: boolean;
  readonly press: () => void;
}

/** What a state is called, behind a sign of its own shape. */
const STATES = { up: null, draining: '❚❚ draining', ejected: '◷ ejected', down: '✕ down' } as const;

/** A provider: pressing it shows its requests only. */
export function ProviderButton({ box, provider, look, pressed, press }: ProviderButtonProps) {
  const { name, site, state } = provider;
  return (
    <button
      type="button"
      class={`node provider ${look.hue} ${state}`}
      style={placed(box)}
      aria-pressed={pressed}
      title={pressed ? 'Show the requests of all providers' : `Show the requests of ${name} only`}
      onClick={press}
    >
      <Badge look={look} />
      <span>
        <b>{name}</b>
        <small>{STATES[state] ?? site}</small>
      </span>
    </button>
  );
}

interface EdgeLabelProps {
  readonly at: Track['label'];
  readonly text: string;
  readonly part?: string;
  readonly failed?: number;
  readonly look?: ProviderLook;
  readonly quiet?: boolean;
}

/** What ran along a track. Failures have a sign, a number and a word. */
export function EdgeLabel({ at, text, part, failed = 0, look, quiet = false }: EdgeLabelProps) {
  return (
    <span
      class={`edge ${look?.hue ?? ''} ${quiet ? 'quiet' : ''}`}
      style={{ left: `${at.x}px`, top: `${at.y}px` }}
    >
      <b>{text}</b>
      {part !== undefined && <small>{part}</small>}
      {failed > 0 && <em>◆ {failed} failed</em>}
    </span>
  );
}
