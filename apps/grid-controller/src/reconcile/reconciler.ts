import {
  type InferenceProvider,
  type ManifestFile,
  type ManifestIssue,
  type ProviderPhase,
  parseManifests,
  type RenderedOverlay,
  renderOverlays,
} from '@switchyard/grid-core';
import { publishOverlay } from '../publish/publish-overlay.ts';
import { gatewayKey, sharedDirectories, targetDirectory } from '../publish/target-directory.ts';
import { attributeIssues, type FileNetworks, rememberNetworks, unplacedFiles } from './attribute-issues.ts';
import { distributed, type GatewayStatus, retained, writeFailed } from './gateway-status.ts';

/** What a reconciler works with; everything that touches the world is passed in. */
export interface ReconcilerOptions {
  readonly read: () => Promise<readonly ManifestFile[]>;
  /** Providers of the inventory; resolves when their phases are known well enough to render. */
  readonly watch: (providers: readonly InferenceProvider[]) => Promise<void>;
  readonly phases: () => ReadonlyMap<string, ProviderPhase>;
  /** Absolute, with placeholders. */
  readonly publishDirectory: string;
  readonly producer: { readonly name: string; readonly version: string };
  readonly now: () => Date;
}

/** The outcome of one reconcile. */
export interface ReconcileReport {
  readonly issues: readonly ManifestIssue[];
  readonly gateways: readonly GatewayStatus[];
  /** Keys of the gateways whose overlay was written this time; empty when nothing changed. */
  readonly published: readonly string[];
}

/** Brings what is published in line with what the manifests and the probes say. */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  #fileNetworks: FileNetworks = new Map();
  #unplaced: ReadonlySet<string> | null = null;
  #statuses = new Map<string, GatewayStatus>();

  constructor(options: ReconcilerOptions) {
    this.#options = options;
  }

  /**
   * One pass: read, render, publish. Failures of single gateways are in the report.
   *
   * @throws Error when the manifests can't be read; everything published stays.
   */
  async reconcile(): Promise<ReconcileReport> {
    const parsed = parseManifests(await this.#options.read());
    const issues = attributeIssues(parsed.issues, this.#fileNetworks);
    this.#fileNetworks = rememberNetworks(parsed, this.#fileNetworks);
    this.#unplaced = unplacedFiles(issues, this.#unplaced);
    await this.#options.watch(parsed.inventory.providers);
    const { overlays, failures } = renderOverlays({
      inventory: parsed.inventory,
      issues,
      phases: this.#options.phases(),
      producer: this.#options.producer,
      now: this.#options.now,
    });
    const before = this.#statuses;
    const published: string[] = [];
    const statuses = failures.map((failure) => retained(failure, before.get(gatewayKey(failure))));
    const shared = sharedDirectories(this.#options.publishDirectory, [...overlays, ...failures]);
    for (const overlay of overlays) {
      statuses.push(
        await this.#publish(overlay, { shared, published, before: before.get(gatewayKey(overlay)) }),
      );
    }
    this.#statuses = new Map(statuses.map((status) => [gatewayKey(status), status]));
    return { issues, gateways: statuses, published };
  }

  async #publish(
    overlay: RenderedOverlay,
    context: {
      readonly shared: ReadonlyMap<string, readonly string[]>;
      readonly published: string[];
      readonly before: GatewayStatus | undefined;
    },
  ): Promise<GatewayStatus> {
    const directory = targetDirectory(this.#options.publishDirectory, overlay);
    const sharing = context.shared.get(directory);
    if (sharing !== undefined) {
      const message = `${sharing.join(' and ')} would be published to the same folder ${directory}: put {gateway}, {namespace} or {network} into publish.directory`;
      return writeFailed(overlay, { reason: 'SharedDirectory', message }, context.before);
    }
    try {
      const unplaced = [...(this.#unplaced ?? [])];
      const mayReplace = unplaced.length === 0;
      const outcome = await publishOverlay(directory, overlay, { now: this.#options.now(), mayReplace });
      if (outcome === 'kept') {
        const message = `${unplaced.join(', ')} was broken when the controller started and names no network, so it may hold providers of the overlay that is published: mend or remove it`;
        return retained({ ...overlay, code: 'ManifestInvalid', message }, context.before);
      }
      if (outcome === 'published') context.published.push(gatewayKey(overlay));
      return distributed(overlay, directory);
    } catch (error) {
      const message = `${directory}: ${error instanceof Error ? error.message : String(error)}`;
      return writeFailed(overlay, { reason: 'OverlayWriteFailed', message }, context.before);
    }
  }
}
