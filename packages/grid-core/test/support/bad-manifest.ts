import { type ManifestIssue, parseManifests } from '../../src/index.ts';

export const header = (kind: string, name: string): string =>
  `apiVersion: grid.praxis-proxy.io/v1alpha1\nkind: ${kind}\nmetadata: { name: ${name} }\n`;

export const demo = `${header('GridNetwork', 'demo')}spec: { gatewayRefs: [] }\n`;

export function issuesOf(text: string): readonly ManifestIssue[] {
  return parseManifests([
    { path: 'net.yaml', text: demo },
    { path: 'bad.yaml', text },
  ]).issues;
}

/** An InferenceProvider of `demo`; its spec starts at line 4 and its `models` stand at line 7. */
export function providerYaml(extra = '', models = '[{ name: m }]'): string {
  const spec = `spec:\n  gridNetworkRef: demo\n  endpoint: http://127.0.0.1:1\n  models: ${models}\n${extra}`;
  return header('InferenceProvider', 'p') + spec;
}
