import type { ManifestIssue, ParsedManifests } from '@switchyard/grid-core';

/** Which networks each file had objects of, when it was last readable. */
export type FileNetworks = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Gives issues that name no network those networks that their file had objects of before it broke: a file cut in half
 * must hold back the gateways it used to serve, and not silently take its providers out of their overlays.
 */
export function attributeIssues(issues: readonly ManifestIssue[], before: FileNetworks): ManifestIssue[] {
  return issues.flatMap((issue) => {
    const networks = issue.network === undefined ? [...(before.get(issue.file) ?? [])] : [];
    return networks.length === 0 ? [issue] : networks.map((network) => ({ ...issue, network }));
  });
}

/** The memory for the next time: files without issues are remembered anew, broken ones keep what is known of them. */
export function rememberNetworks({ inventory, issues }: ParsedManifests, before: FileNetworks): FileNetworks {
  const broken = new Set(issues.map((issue) => issue.file));
  const networks = new Map<string, Set<string>>();
  const add = (file: string, network: string): void => {
    networks.set(file, (networks.get(file) ?? new Set()).add(network));
  };
  for (const { metadata, source } of inventory.networks) add(source.file, metadata.name);
  for (const { spec, source } of [...inventory.sites, ...inventory.providers])
    add(source.file, spec.gridNetworkRef);
  for (const file of broken) for (const network of before.get(file) ?? []) add(file, network);
  return networks;
}

/**
 * Files of which nobody can say whose objects they hold: broken since this process started, and too broken to name a
 * network. `before` is what this said at the last pass, or null at the first one; a file that broke later is known from
 * before, and one that came later took no provider away.
 */
export function unplacedFiles(
  issues: readonly ManifestIssue[],
  before: ReadonlySet<string> | null,
): ReadonlySet<string> {
  const files = issues.filter((issue) => issue.network === undefined).map((issue) => issue.file);
  return new Set(files.filter((file) => before === null || before.has(file)));
}
