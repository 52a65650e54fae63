import type { ProviderNode } from '../../src/page/state.ts';
import { letterOf } from './format.ts';
import type { PageState } from './page-state.ts';

/** How many hues the stylesheet has; further providers begin again and still have their letter. */
const HUES = 6;

/** A provider as the page names and colours it everywhere. */
export interface ProviderLook {
  readonly name: string;
  readonly letter: string;
  /** CSS class that sets its hue. */
  readonly hue: string;
}

/** Every provider of the topology in canonical order; without a topology, those that the counts name. */
export function providerLooks({ documents: { topology, verdict } }: PageState): readonly ProviderLook[] {
  const names =
    topology?.providers.map(({ name }: ProviderNode) => name) ?? Object.keys(verdict?.counts.client ?? {});
  return names.map((name, index) => ({ name, letter: letterOf(name), hue: `hue-${index % HUES}` }));
}

/** The look of one provider; grey when the topology does not know it. */
export function lookOf(looks: readonly ProviderLook[], name: string | null): ProviderLook {
  const found = looks.find((look) => look.name === name);
  return found ?? { name: name ?? 'none', letter: name === null ? '–' : letterOf(name), hue: 'hue-none' };
}
