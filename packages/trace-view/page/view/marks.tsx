import type { ProviderLook } from '../model/providers.ts';

/** The letter of a provider in its colour. */
export function Badge({ look }: { readonly look: ProviderLook }) {
  return (
    <span class={`badge ${look.hue}`} aria-hidden="true">
      {look.letter}
    </span>
  );
}

/** A provider by letter, colour and name. */
export function ProviderName({ look }: { readonly look: ProviderLook }) {
  return (
    <span class="provider-name">
      <Badge look={look} />
      <span class="name" title={look.name}>
        {look.name}
      </span>
    </span>
  );
}

const SHAPES = {
  good: 'M3 8.5 6.5 12 13 4.5',
  bad: 'M4 4 12 12M12 4 4 12',
  wait: 'M8 3.5V8l3 2',
} as const;

/** A mark that is told apart by its shape; the word beside it says the same. */
export function Mark({ kind }: { readonly kind: keyof typeof SHAPES }) {
  return (
    <svg class={`mark ${kind}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      {kind === 'bad' ? (
        <path class="plate" d="M8 .5 15.5 8 8 15.5 .5 8Z" />
      ) : (
        <circle class="plate" cx="8" cy="8" r="7.5" />
      )}
      <path class="stroke" d={SHAPES[kind]} />
    </svg>
  );
}
