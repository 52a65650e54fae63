import { readFile } from 'node:fs/promises';
import type { OverlayEntry } from '@switchyard/trace-view';
import { acceptedEntry } from '../../page/overlay-entry.ts';
import type { ProcessEvent } from '../../run/topology.ts';

/** Follows what the gateway says of its overlay, in the order it says it. */
export class OverlayLog {
  readonly entries: OverlayEntry[] = [];
  readonly #onEntry: (entry: OverlayEntry) => void;
  /** One line after another. The first waits until the file is known: the gateway is faster than those who start it. */
  #work: Promise<void>;
  #file = '';
  #followed: () => void = () => undefined;

  constructor(onEntry: (entry: OverlayEntry) => void) {
    this.#onEntry = onEntry;
    this.#work = new Promise((resolve) => {
      this.#followed = resolve;
    });
  }

  /** The overlay that serves; null before the first. */
  get serving(): OverlayEntry | null {
    return this.entries.findLast(({ outcome }) => outcome === 'accepted') ?? null;
  }

  /** Names the file that accepted overlays are read from. */
  follow(overlayFile: string): void {
    this.#file = overlayFile;
    this.#followed();
  }

  /** Takes a line of the gateway's log; lines about other things are passed over. */
  logged(event: ProcessEvent): void {
    this.#work = this.#work.then(async () => {
      const entry = await this.#entryOf(event);
      if (entry !== null) this.#add(entry);
    });
  }

  /** The gateway reads the overlay again that it never stopped serving: no event tells of that. */
  restored(): void {
    const { serving } = this;
    if (serving !== null)
      this.#add({
        ...serving,
        at: new Date().toISOString(),
        message: 'The good overlay is back; no request noticed.',
      });
  }

  #add(entry: OverlayEntry): void {
    this.entries.push(entry);
    this.#onEntry(entry);
  }

  async #entryOf(event: ProcessEvent): Promise<OverlayEntry | null> {
    const at = String(event['time'] ?? new Date().toISOString());
    switch (event['event']) {
      case 'overlay_accepted':
        return this.#accepted(at, String(event['revision']));
      case 'overlay_rejected':
      case 'overlay_unreadable':
        return rejected(at, event);
      default:
        return null;
    }
  }

  async #accepted(at: string, revision: string): Promise<OverlayEntry> {
    const entry = acceptedEntry(await readDocument(this.#file), { at, message: '' });
    // Another one is there already: what this one said can't be told any more.
    if (entry.revision !== revision)
      return {
        ...entry,
        revision,
        policy: null,
        candidates: [],
        message: 'Replaced before it could be shown.',
      };
    return { ...entry, message: changes(this.serving, entry) };
  }
}

/** The document in the file; an empty one when somebody has put something else there meanwhile. */
async function readDocument(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as unknown;
  } catch {
    return {};
  }
}

function rejected(at: string, event: ProcessEvent): OverlayEntry {
  const text = (key: string): string | null => (typeof event[key] === 'string' ? event[key] : null);
  const issues = Array.isArray(event['issues']) ? (event['issues'] as { message?: string }[]) : [];
  const serving = text('servingRevision')?.slice(0, 12) ?? 'none';
  return {
    at,
    outcome: 'rejected',
    revision: text('revision'),
    generation: null,
    policy: null,
    code: text('code'),
    message: `${(issues[0]?.message ?? text('message') ?? 'refused').replace(/\.$/, '')}. Overlay ${serving} goes on serving.`,
    candidates: [],
  };
}

/** What an overlay changes, in words. */
function changes(before: OverlayEntry | null, now: OverlayEntry): string {
  if (before === null) return 'The first overlay.';
  const was = new Map(before.candidates.map(({ provider, admission }) => [provider, admission]));
  const is = new Map(now.candidates.map(({ provider, admission }) => [provider, admission]));
  const told = [
    ...(before.policy === now.policy ? [] : [`policy ${before.policy} → ${now.policy}`]),
    ...[...is]
      .filter(([provider, admission]) => was.has(provider) && was.get(provider) !== admission)
      .map(
        ([provider, admission]) =>
          `${provider} ${admission === 'existing_only' ? 'drains' : 'takes new requests again'}`,
      ),
    ...[...is.keys()].filter((provider) => !was.has(provider)).map((provider) => `${provider} is back`),
    ...[...was.keys()].filter((provider) => !is.has(provider)).map((provider) => `${provider} is gone`),
  ];
  return told.length === 0 ? 'The content differs in details.' : `${told.join('; ')}.`;
}
