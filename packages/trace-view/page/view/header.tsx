import type { PageState } from '../model/page-state.ts';
import { ThemeSwitch } from './theme-switch.tsx';

const CONNECTIONS = {
  connecting: { kind: 'wait', word: 'connecting' },
  live: { kind: 'good', word: 'live' },
  lost: { kind: 'bad', word: 'connection lost, trying again' },
  recorded: { kind: 'record', word: 'recorded' },
} as const;

/** Whose page this is, whether it is live, and how it looks. */
export function Header({ state }: { readonly state: PageState }) {
  const { kind, word } = CONNECTIONS[state.connection];
  const { run } = state.documents;
  return (
    <header class="top">
      <svg class="logo" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <path d="M3 16h7c7 0 5-10 12-10h7M10 16h19M10 16c7 0 5 10 12 10h7" />
        <circle cx="6" cy="16" r="3.2" />
      </svg>
      <p class="title">
        <b>Switchyard</b> <span>{run?.title ?? ''}</span>
      </p>
      <p class={`connection ${kind}`}>
        <i aria-hidden="true" />
        {word}
      </p>
      <ThemeSwitch />
    </header>
  );
}
