import {
  type GridInventory,
  type ManifestFile,
  type ParsedManifests,
  parseManifests,
  type RenderInput,
  type RenderResult,
  renderOverlays,
} from '../../src/index.ts';

/** A manifest as plain data; JSON is YAML, so `toFile` needs no writer of its own. */
export interface TestManifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Record<string, unknown>;
  readonly spec: Record<string, unknown>;
}

const apiVersion = 'grid.praxis-proxy.io/v1alpha1';

export function network(name: string, spec: Record<string, unknown> = {}): TestManifest {
  const gatewayRefs = [{ name: 'consumer', namespace: 'grid-system', localSiteName: 'site-local' }];
  return { apiVersion, kind: 'GridNetwork', metadata: { name }, spec: { gatewayRefs, ...spec } };
}

export function site(
  name: string,
  spec: Record<string, unknown> = {},
  labels: Record<string, string> = { site: name },
): TestManifest {
  return {
    apiVersion,
    kind: 'GridSite',
    metadata: { name, labels },
    spec: { gridNetworkRef: 'demo', ...spec },
  };
}

export function provider(name: string, spec: Record<string, unknown> = {}): TestManifest {
  const defaults = {
    gridNetworkRef: 'demo',
    endpoint: 'http://127.0.0.1:8101',
    models: [{ name: 'demo-model' }],
  };
  return { apiVersion, kind: 'InferenceProvider', metadata: { name }, spec: { ...defaults, ...spec } };
}

/** Hosted at one site, by the label that `site()` gives it. */
export function at(siteName: string): Record<string, unknown> {
  return { siteSelector: { matchLabels: { site: siteName } } };
}

/** The network `demo` with three providers over three sites, as in the demo. */
export function threeProviders(networkSpec: Record<string, unknown> = {}): TestManifest[] {
  const names = ['a', 'b', 'c'];
  return [
    network('demo', networkSpec),
    ...names.map((name) => site(`site-${name}`)),
    ...names.map((name) => provider(`provider-${name}`, at(`site-${name}`))),
  ];
}

export function toFile(path: string, manifests: readonly TestManifest[]): ManifestFile {
  return { path, text: manifests.map((manifest) => JSON.stringify(manifest, null, 2)).join('\n---\n') };
}

export function parse(...manifests: TestManifest[]): ParsedManifests {
  return parseManifests([toFile('grid.yaml', manifests)]);
}

/** The inventory of manifests that must be free of issues. */
export function inventoryOf(...manifests: TestManifest[]): GridInventory {
  const { inventory, issues } = parse(...manifests);
  if (issues.length > 0) throw new Error(JSON.stringify(issues, null, 2));
  return inventory;
}

export const producer: RenderInput['producer'] = { name: 'grid-controller', version: '0.1.0' };
export const now: Date = new Date('2026-01-02T03:04:05Z');

export function render(manifests: readonly TestManifest[], input: Partial<RenderInput> = {}): RenderResult {
  return renderOverlays({ ...parse(...manifests), producer, now, ...input });
}

/** The only member of a list. */
export function only<T>(items: readonly T[]): T {
  const [first, ...rest] = items;
  if (first === undefined || rest.length > 0) {
    throw new Error(`expected one, got ${items.length}: ${JSON.stringify(items, null, 2)}`);
  }
  return first;
}
