import type { Labels, SiteSelector } from '../model.ts';

/** Whether the selector demands anything at all. */
export function isEmptySelector(selector: SiteSelector | undefined): boolean {
  return Object.keys(selector?.matchLabels ?? {}).length === 0;
}

/** Whether every label of the selector is there with the same value; an empty selector matches all. */
export function matchesLabels(selector: SiteSelector | undefined, labels: Labels): boolean {
  return Object.entries(selector?.matchLabels ?? {}).every(
    ([key, value]) => Object.hasOwn(labels, key) && labels[key] === value,
  );
}
