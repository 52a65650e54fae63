import { join } from 'node:path';
import { type Env, writeManifest, writeManifests } from '@switchyard/demo-kit';
import type { DemoPolicy } from '../records/types.ts';

/** Wire words of the GridNetwork manifest. */
const SELECTION_MODES: Readonly<Record<DemoPolicy, string>> = {
  round_robin: 'roundRobin',
  random: 'random',
  deterministic: 'deterministic',
};

/** Where the manifests come from and go to. */
export interface GridResourcesOptions {
  readonly templates: string;
  readonly directory: string;
  readonly policy: DemoPolicy;
  /** Values of the `${NAMES}` in the templates. */
  readonly values: Env;
}

/** The manifests that the running controller reads. What changes here becomes an overlay, and that becomes traffic. */
export class GridResources {
  readonly #options: GridResourcesOptions;

  private constructor(options: GridResourcesOptions) {
    this.#options = options;
  }

  /** Writes all manifests for the first time; nobody drains. */
  static async write(options: GridResourcesOptions): Promise<GridResources> {
    const { templates, directory, policy, values } = options;
    await writeManifests(templates, directory, {
      ...values,
      SELECTION_MODE: SELECTION_MODES[policy],
      DRAIN: 'false',
    });
    return new GridResources(options);
  }

  /** Writes the GridNetwork anew with another selection policy. */
  selectBy(policy: DemoPolicy): Promise<void> {
    return this.#rewrite('network.yaml', { SELECTION_MODE: SELECTION_MODES[policy] });
  }

  /** Writes a provider's manifest anew: while it drains it takes bound sessions only. */
  drain(provider: string, on: boolean): Promise<void> {
    return this.#rewrite(`${provider}.yaml`, { DRAIN: String(on) });
  }

  #rewrite(name: string, change: Env): Promise<void> {
    const { templates, directory, values } = this.#options;
    return writeManifest(join(templates, name), join(directory, name), { ...values, ...change });
  }
}
