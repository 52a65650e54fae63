import { type AppContext, ConfigError, formatPath } from '@switchyard/gateway-kit';
import type { SyncConfig } from '../config.ts';
import { BackOff } from '../time/back-off.ts';
import { systemJitter, systemTime } from '../time/time.ts';
import { NotInClusterError, resolveApiAccess, SERVICE_ACCOUNT_FOLDER } from './config-map/api-access.ts';
import { ConfigMapApi } from './config-map/config-map-api.ts';
import { ConfigMapSource } from './config-map/config-map-source.ts';
import { FileSource } from './file-source.ts';
import type { OverlaySource, SourceListener } from './source.ts';

/** A source and the words `/status` has for it. */
export interface CreatedSource {
  readonly source: OverlaySource;
  readonly description:
    | { readonly source: 'file'; readonly file: string }
    | {
        readonly source: 'configMap';
        readonly namespace: string;
        readonly configMap: string;
        readonly dataKey: string;
      };
}

/** What a source hands its documents to. */
export interface SourceSink {
  readonly listen: SourceListener;
  /** Whether a document is valid. */
  readonly acceptable: (bytes: Uint8Array) => boolean;
}

/**
 * Makes the configured source; it doesn't begin yet.
 *
 * @throws {@link ConfigError} when the config leaves to the pod what this machine, being none, doesn't know.
 */
export function createSource(config: SyncConfig, context: AppContext, sink: SourceSink): CreatedSource {
  const { configMap, file = '.' } = config.source;
  if (configMap === undefined) {
    const path = context.resolvePath(file);
    const source = new FileSource({
      ...sink,
      ...config.reload,
      path,
      maxBytes: config.maxBytes,
      time: systemTime,
      onWatchDegraded: (error) =>
        context.log.warn({ err: error }, 'the source is not watched; polling goes on'),
    });
    return { source, description: { source: 'file', file: path } };
  }
  const { access, target } = withConfigErrors(context, () =>
    resolveApiAccess(configMap, {
      env: process.env,
      serviceAccountFolder: SERVICE_ACCOUNT_FOLDER,
      resolvePath: context.resolvePath,
    }),
  );
  const { key, requestTimeoutMs } = configMap;
  const source = new ConfigMapSource({
    ...target,
    key,
    api: new ConfigMapApi(access, target),
    listen: sink.listen,
    time: systemTime,
    jitter: systemJitter,
    backOff: new BackOff(config.backOff, systemJitter),
    requestTimeoutMs,
    staleAfterMs: config.staleAfterMs,
    resetAfterMs: config.backOff.resetAfterMs,
  });
  const { namespace, name } = target;
  return { source, description: { source: 'configMap', namespace, configMap: name, dataKey: key } };
}

function withConfigErrors<T>({ configFile }: AppContext, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof NotInClusterError)) throw cause;
    const path = formatPath(['source', 'configMap', cause.path]);
    const issue = { file: configFile, line: 1, column: 1, path, message: cause.message };
    throw new ConfigError(configFile, [issue], { cause });
  }
}
