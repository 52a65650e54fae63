import { GridCoreError } from '../errors.ts';
import { formatIssue, type IssueGateway, type ManifestIssue, sortIssues } from '../manifests/issues.ts';
import type { GatewayRef, GridInventory, GridNetwork, ProviderPhase } from '../model.ts';
import { type NetworkRuleBreak, networkRuleBreaks } from '../network-rules.ts';
import { compareUtf8 } from '../text/compare-utf8.ts';
import { type NetworkContents, type RenderContext, renderGateway } from './render-gateway.ts';
import type { RenderedOverlay, RenderFailure, RenderFailureCode, RenderResult } from './render-result.ts';

/** What is rendered, for whom and when. */
export interface RenderInput {
  readonly inventory: GridInventory;
  /** Issues of the same manifests. The gateways of every network one of them names are not rendered. Default none. */
  readonly issues?: readonly ManifestIssue[];
  /** Health by InferenceProvider name. A provider that isn't in it is `unknown`, which counts as usable. */
  readonly phases?: ReadonlyMap<string, ProviderPhase>;
  /** Written as `producer` and `producer_version`, outside the digest. */
  readonly producer: { readonly name: string; readonly version: string };
  /** Time of rendering, written as `rendered_at`, outside the digest; a function is called once. */
  readonly now: Date | (() => Date);
}

/**
 * Renders one overlay per gateway reference of every network.
 *
 * Networks don't affect each other, and neither do gateways: one that can't be rendered is a {@link RenderFailure},
 * and all others are rendered all the same. The text depends on the inventory's content, the phases, the producer and
 * the time only; the revision on the first two only. The order of the inventory's lists changes nothing.
 *
 * @throws {@link GridCoreError} `invalid_input` when `now` is not a valid time.
 */
export function renderOverlays(input: RenderInput): RenderResult {
  const context: RenderContext = {
    producer: input.producer,
    renderedAt: timestamp(input.now),
    phases: input.phases ?? new Map(),
  };
  const blocked = issuesByNetwork(input.issues ?? []);
  const overlays: RenderedOverlay[] = [];
  const failures: RenderFailure[] = unreadableNetworks(input.inventory, blocked);
  for (const contents of networkContents(input.inventory)) {
    const { network } = contents;
    const causes = blocked.get(network.metadata.name) ?? [];
    for (const gateway of network.spec.gatewayRefs) {
      const held = heldBack(network, gateway, causes);
      const result = held === undefined ? renderGateway(contents, gateway, context) : { failure: held };
      if ('overlay' in result) overlays.push(result.overlay);
      else failures.push(result.failure);
    }
  }
  return { overlays: overlays.sort(compareTargets), failures: failures.sort(compareTargets) };
}

function timestamp(now: RenderInput['now']): string {
  const time = typeof now === 'function' ? now() : now;
  if (Number.isNaN(time.getTime())) throw new GridCoreError('invalid_input', 'now is not a valid time');
  return time.toISOString();
}

function issuesByNetwork(issues: readonly ManifestIssue[]): Map<string, ManifestIssue[]> {
  const byNetwork = new Map<string, ManifestIssue[]>();
  for (const issue of sortIssues(issues)) {
    if (issue.network === undefined) continue;
    const held = byNetwork.get(issue.network);
    if (held === undefined) byNetwork.set(issue.network, [issue]);
    else held.push(issue);
  }
  return byNetwork;
}

function networkContents(inventory: GridInventory): NetworkContents[] {
  return inventory.networks.map((network) => {
    const { name } = network.metadata;
    return {
      network,
      sites: inventory.sites.filter(({ spec }) => spec.gridNetworkRef === name),
      providers: byName(inventory.providers.filter(({ spec }) => spec.gridNetworkRef === name)),
    };
  });
}

function byName<T extends { readonly metadata: { readonly name: string } }>(objects: readonly T[]): T[] {
  return [...objects].sort((left, right) => compareUtf8(left.metadata.name, right.metadata.name));
}

/** Networks that only issues speak of: one failure per gateway that could be read, else one for the network. */
function unreadableNetworks(
  inventory: GridInventory,
  blocked: ReadonlyMap<string, readonly ManifestIssue[]>,
): RenderFailure[] {
  const readable = new Set(inventory.networks.map(({ metadata }) => metadata.name));
  return [...blocked]
    .filter(([network]) => !readable.has(network))
    .flatMap(([network, causes]) =>
      gatewaysOf(causes).map(({ name, namespace }) => ({
        network,
        gateway: name,
        namespace,
        code: 'ManifestInvalid' as const,
        message: heldBackMessage(causes),
        causes,
      })),
    );
}

function gatewaysOf(causes: readonly ManifestIssue[]): IssueGateway[] {
  const known = causes.flatMap(({ gateways }) => gateways ?? []);
  const unique = new Map(
    known.map((gateway) => [JSON.stringify([gateway.namespace, gateway.name]), gateway]),
  );
  return unique.size === 0 ? [{ name: '', namespace: '' }] : [...unique.values()];
}

/** Why a gateway must not even be tried: issues of its manifests, or a rule that the network itself breaks. */
function heldBack(
  network: GridNetwork,
  gateway: GatewayRef,
  causes: readonly ManifestIssue[],
): RenderFailure | undefined {
  const target = { network: network.metadata.name, gateway: gateway.name, namespace: gateway.namespace };
  const [broken] = networkRuleBreaks(network.spec);
  if (causes.length > 0) {
    return { ...target, code: codeOf(causes, broken), message: heldBackMessage(causes), causes };
  }
  if (broken === undefined) return undefined;
  return { ...target, code: RULE_FAILURES[broken.code], message: broken.message, causes };
}

const RULE_FAILURES: Readonly<Record<NetworkRuleBreak['code'], RenderFailureCode>> = {
  not_available: 'NotAvailable',
  placement_conflict: 'PlacementConflict',
  duplicate_gateway: 'DuplicateGateway',
};

/** The rule's own code when nothing else is wrong: "not available yet" is not a mistake in a manifest. */
function codeOf(causes: readonly ManifestIssue[], broken: NetworkRuleBreak | undefined): RenderFailureCode {
  const onlyRules = broken !== undefined && causes.every(({ code }) => Object.hasOwn(RULE_FAILURES, code));
  return onlyRules ? RULE_FAILURES[broken.code] : 'ManifestInvalid';
}

function heldBackMessage(causes: readonly ManifestIssue[]): string {
  const more = causes.length > 1 ? ` (and ${causes.length - 1} more)` : '';
  const first = causes.slice(0, 1).map(formatIssue).join('');
  return `held back until its network's manifests are valid: ${first}${more}`;
}

interface Target {
  readonly network: string;
  readonly namespace: string;
  readonly gateway: string;
}

function compareTargets(left: Target, right: Target): number {
  return (
    compareUtf8(left.network, right.network) ||
    compareUtf8(left.namespace, right.namespace) ||
    compareUtf8(left.gateway, right.gateway)
  );
}
