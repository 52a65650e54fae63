import type { RenderedOverlay } from '@switchyard/grid-core';

type GatewayName = Pick<RenderedOverlay, 'network' | 'namespace' | 'gateway'>;

/** Fills `{network}`, `{namespace}` and `{gateway}` into the configured folder. */
export function targetDirectory(template: string, gateway: GatewayName): string {
  return template
    .replaceAll('{network}', gateway.network)
    .replaceAll('{namespace}', gateway.namespace)
    .replaceAll('{gateway}', gateway.gateway);
}

/** Folders that more than one gateway would write, each with the gateways that want it. */
export function sharedDirectories(
  template: string,
  gateways: readonly GatewayName[],
): Map<string, readonly string[]> {
  const wanted = new Map<string, string[]>();
  for (const gateway of gateways) {
    const directory = targetDirectory(template, gateway);
    wanted.set(directory, [...(wanted.get(directory) ?? []), gatewayKey(gateway)]);
  }
  return new Map([...wanted].filter(([, names]) => names.length > 1));
}

/** One text per gateway, unique over all networks. */
export function gatewayKey({ network, namespace, gateway }: GatewayName): string {
  return `${network}/${namespace}/${gateway}`;
}
