import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WireCandidate } from '@switchyard/overlay-contract';
import {
  type AppProcess,
  type FaultUpstream,
  startApp,
  startFaultUpstream,
  tempDir,
  waitUntil,
} from '@switchyard/test-kit';
import { candidate, type OverlayOptions, overlay } from './overlay.ts';

/** What differs between the gateways of the tests. */
export interface GatewayOptions extends OverlayOptions {
  /** Clusters, each with one fault upstream. Default: provider-a, -b and -c. */
  readonly clusters?: readonly string[];
  /** Default: every cluster in group 0. */
  readonly candidates?: readonly WireCandidate[];
  /** Members of `routing` besides `overlayFile`. */
  readonly routing?: object;
  /** Members of every cluster besides name and endpoints. */
  readonly cluster?: object;
  /** Members of one cluster that differ from the others'. */
  readonly clusterOf?: (name: string) => object;
  /** Files beside the configuration, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Further members of the configuration. */
  readonly config?: object;
  readonly env?: Readonly<Record<string, string>>;
  /** What the overlay file holds at start; null = there is none. Default: the overlay of `candidates`. */
  readonly initialText?: string | null;
}

/** A running gateway with an overlay file and its providers. */
export interface TestGateway {
  readonly app: AppProcess;
  /** By cluster name. */
  upstream(cluster: string): FaultUpstream;
  /** Revision that was published at start. */
  readonly revision: string;
  readonly overlayFile: string;
  /** Replaces the overlay file atomically. */
  publish(text: string): Promise<void>;
  /** Ends the process and starts another with the same files; {@link app} is the new one. */
  restart(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts one gateway process in front of one fault upstream per cluster. */
export async function startGateway(options: GatewayOptions = {}): Promise<TestGateway> {
  const names = options.clusters ?? ['provider-a', 'provider-b', 'provider-c'];
  const dir = await tempDir();
  const upstreams = new Map(
    await Promise.all(names.map(async (name) => [name, await startFaultUpstream({ name })] as const)),
  );
  const built = overlay(options.candidates ?? names.map((name) => candidate(name)), options);
  const overlayFile = join(dir.path, 'routing-overlay.json');
  const publish = async (text: string): Promise<void> => {
    await writeFile(`${overlayFile}.new`, text);
    await rename(`${overlayFile}.new`, overlayFile);
  };
  for (const [name, text] of Object.entries(options.files ?? {})) await writeFile(join(dir.path, name), text);
  const { initialText = built.text } = options;
  if (initialText !== null) await publish(initialText);
  const release = async (): Promise<void> => {
    await Promise.all([...upstreams.values()].map((upstream) => upstream.close()));
    await dir.remove();
  };
  const config = {
    listen: { port: 0 },
    admin: { port: 0 },
    routing: { overlayFile: './routing-overlay.json', ...options.routing },
    clusters: [...upstreams].map(([name, { origin }]) => ({
      name,
      endpoints: [{ url: origin }],
      ...options.cluster,
      ...options.clusterOf?.(name),
    })),
    ...options.config,
  };
  const start = (): Promise<AppProcess> =>
    startApp({
      app: 'consumer-gateway',
      configDir: dir.path,
      config,
      ...(options.env === undefined ? {} : { env: options.env }),
    });
  try {
    let app = await start();
    return {
      get app() {
        return app;
      },
      upstream: (name) => {
        const upstream = upstreams.get(name);
        if (upstream === undefined) throw new Error(`no upstream ${name}`);
        return upstream;
      },
      revision: built.revision,
      overlayFile,
      publish,
      restart: async () => {
        await app.stop();
        app = await start();
      },
      [Symbol.asyncDispose]: async () => {
        await app.stop();
        await release();
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/** An access line as it was written. */
export type AccessLine = Readonly<Record<string, unknown>>;

/** The access lines so far, oldest first. */
export function accessLines(gateway: TestGateway): AccessLine[] {
  return gateway.app.stdout
    .map((text) => JSON.parse(text) as AccessLine)
    .filter((line) => line['event'] === 'request');
}

/**
 * Waits for the line of the first request that began at `sinceMs` or later. Lines of earlier requests may still be held
 * back, so counting them tells nothing.
 */
export function lineSince(gateway: TestGateway, sinceMs: number): Promise<AccessLine> {
  return waitUntil(() =>
    accessLines(gateway).find((line) => Date.parse(String(line['startedAt'])) >= sinceMs),
  );
}
