import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiAccess, ConfigMapName } from './config-map-api.ts';

/** The part of the config that says which API and which ConfigMap. */
export interface ApiAccessConfig {
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly server?: string | undefined;
  readonly tokenFile?: string | undefined;
  readonly caFile?: string | undefined;
  readonly insecureSkipTlsVerify: boolean;
  readonly requestTimeoutMs: number;
}

/** Where the facts of a pod are. */
export interface PodSurroundings {
  readonly env: NodeJS.ProcessEnv;
  /** Folder with `token`, `ca.crt` and `namespace`. */
  readonly serviceAccountFolder: string;
  /** Makes paths of the config absolute. */
  readonly resolvePath: (path: string) => string;
}

/** Where Kubernetes mounts the files of a pod's service account. */
export const SERVICE_ACCOUNT_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/** A config that leaves something to the pod, on a machine that is none. */
export class NotInClusterError extends Error {
  override readonly name = 'NotInClusterError';
  /** The member of the config that is needed here. */
  readonly path: string;

  constructor(path: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.path = path;
  }
}

/**
 * Completes the config with what a pod knows of itself. Token and authority are the pod's only when the server is, too:
 * a service account's token must not go to some other server.
 *
 * @throws {@link NotInClusterError} when something is left to the pod that isn't there.
 */
export function resolveApiAccess(
  config: ApiAccessConfig,
  pod: PodSurroundings,
): { readonly access: ApiAccess; readonly target: ConfigMapName } {
  const inCluster = config.server === undefined;
  const file = (own: string | undefined, name: string): string | undefined => {
    if (own !== undefined) return pod.resolvePath(own);
    return inCluster ? join(pod.serviceAccountFolder, name) : undefined;
  };
  return {
    access: {
      server: config.server === undefined ? podServer(pod.env) : new URL(config.server).origin,
      tokenFile: file(config.tokenFile, 'token'),
      caFile: file(config.caFile, 'ca.crt'),
      insecureSkipTlsVerify: config.insecureSkipTlsVerify,
      connectMs: config.requestTimeoutMs,
    },
    target: { name: config.name, namespace: config.namespace ?? podNamespace(pod.serviceAccountFolder) },
  };
}

function podServer(env: NodeJS.ProcessEnv): string {
  const host = env['KUBERNETES_SERVICE_HOST'];
  const port = env['KUBERNETES_SERVICE_PORT'];
  if (!host || !port) {
    throw new NotInClusterError(
      'server',
      'missing, and KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set as in a pod; expected https://host:port',
    );
  }
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function podNamespace(folder: string): string {
  const file = join(folder, 'namespace');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new NotInClusterError('namespace', `missing, and ${file} can't be read as in a pod`, cause);
  }
}
