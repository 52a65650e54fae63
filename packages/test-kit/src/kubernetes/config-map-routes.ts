import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ConfigMapStore, type StoredConfigMap, StoreError } from './config-map-store.ts';
import { PROTOBUF, readProtobufConfigMap } from './protobuf-body.ts';
import { deletedStatus } from './status-object.ts';
import { startWatch, type WatchStream } from './watch-stream.ts';

/** A request about ConfigMaps, understood. */
export interface ConfigMapRequest {
  readonly verb: 'list' | 'watch' | 'get' | 'create' | 'update' | 'patch' | 'delete';
  /** Undefined: of all namespaces. */
  readonly namespace: string | undefined;
  readonly name: string;
  readonly query: URLSearchParams;
}

/** What an answer is made with. */
export interface AnswerContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly store: ConfigMapStore;
  /** Open watches; a new one is added, and taken off at its end. */
  readonly watches: WatchStream[];
  readonly sendJson: (response: ServerResponse, status: number, body: object) => void;
}

const PATH = /^\/api\/v1\/(?:namespaces\/([^/]+)\/)?configmaps(?:\/([^/]+))?$/;
const MERGE_PATCHES = ['application/merge-patch+json', 'application/strategic-merge-patch+json'];

/** What a request wants, or undefined when it isn't about ConfigMaps. */
export function parseConfigMapRequest(method: string, url: string): ConfigMapRequest | undefined {
  const { pathname, searchParams: query } = new URL(url, 'http://fake');
  const match = PATH.exec(decodeURIComponent(pathname));
  if (match === null) return undefined;
  const [, namespace, name] = match;
  const verb = verbOf(method, name !== undefined, query);
  return verb === undefined ? undefined : { verb, namespace, name: name ?? '', query };
}

function verbOf(
  method: string,
  named: boolean,
  query: URLSearchParams,
): ConfigMapRequest['verb'] | undefined {
  const watching = ['1', 'true'].includes(query.get('watch') ?? '');
  if (method === 'GET') return named ? 'get' : watching ? 'watch' : 'list';
  if (method === 'POST' && !named) return 'create';
  if (!named) return undefined;
  return ({ PUT: 'update', PATCH: 'patch', DELETE: 'delete' } as const)[method];
}

/** @throws {@link StoreError} for whatever the API refuses. */
export async function answerConfigMaps(asked: ConfigMapRequest, context: AnswerContext): Promise<void> {
  const { request, response, store, sendJson } = context;
  const { verb, name } = asked;
  const namespace = asked.namespace ?? 'default';
  switch (verb) {
    case 'list':
      sendJson(response, 200, listObject(store, asked));
      return;
    case 'watch':
      watch(asked, context);
      return;
    case 'get':
      sendJson(response, 200, store.get(namespace, name));
      return;
    case 'create':
      sendJson(response, 201, store.create(namespace, await readBody(request)));
      return;
    case 'update':
      sendJson(response, 200, store.update(namespace, name, await readBody(request)));
      return;
    case 'patch':
      await patch({ namespace, name }, context);
      return;
    case 'delete':
      sendJson(response, 200, deletedStatus(name, store.delete(namespace, name).metadata.uid));
      return;
  }
}

function listObject(store: ConfigMapStore, asked: ConfigMapRequest): object {
  const items = store.list(asked.namespace).filter(selector(asked));
  return {
    kind: 'ConfigMapList',
    apiVersion: 'v1',
    metadata: { resourceVersion: String(store.version) },
    items,
  };
}

function watch(asked: ConfigMapRequest, { response, store, watches }: AnswerContext): void {
  const { query } = asked;
  const version = query.get('resourceVersion') ?? '';
  const matches = selector(asked);
  // Without a version the watch begins with what is there, told as if it were added now.
  const from = version === '' || version === '0' ? store.version : Number(version);
  const stream = startWatch(response, store, {
    from,
    bookmarks: query.get('allowWatchBookmarks') === 'true',
    matches,
    onClose: (closed) => void watches.splice(watches.indexOf(closed), 1),
  });
  watches.push(stream);
  if (version === '' || version === '0') {
    for (const object of store.list(asked.namespace).filter(matches)) {
      stream.write(`${JSON.stringify({ type: 'ADDED', object })}\n`);
    }
  }
  const seconds = Number(query.get('timeoutSeconds') ?? 0);
  if (seconds > 0) {
    const timer = setTimeout(stream.end, seconds * 1000);
    response.once('close', () => clearTimeout(timer));
  }
}

async function patch(
  { namespace, name }: { namespace: string; name: string },
  { request, response, store, sendJson }: AnswerContext,
): Promise<void> {
  const type = request.headers['content-type'] ?? '';
  const body = await readBody(request);
  if (MERGE_PATCHES.includes(type)) {
    sendJson(response, 200, store.patch(namespace, name, body));
    return;
  }
  if (type !== 'application/apply-patch+yaml') {
    throw new StoreError({
      status: 415,
      reason: 'UnsupportedMediaType',
      message: `the fake knows no patch of type ${type}`,
    });
  }
  // Server-side apply without field managers: whoever applies owns what it names.
  const exists = store.list(namespace).some(({ metadata }) => metadata.name === name);
  if (exists) sendJson(response, 200, store.patch(namespace, name, body));
  else sendJson(response, 201, store.create(namespace, body));
}

/** `fieldSelector` on `metadata.name` and `metadata.namespace`, the two that ConfigMaps have. */
function selector({ namespace, query }: ConfigMapRequest): (object: StoredConfigMap) => boolean {
  const terms = (query.get('fieldSelector') ?? '').split(',').filter((term) => term !== '');
  const wanted = terms.map((term) => {
    const match = /^metadata\.(name|namespace)==?(.+)$/.exec(term);
    if (match === null)
      throw new StoreError({
        status: 400,
        reason: 'BadRequest',
        message: `the fake knows no field selector ${term}`,
      });
    return { member: match[1] ?? '', value: match[2] };
  });
  return ({ metadata }) =>
    (namespace === undefined || metadata.namespace === namespace) &&
    wanted.every(({ member, value }) => metadata[member] === value);
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  try {
    if (request.headers['content-type'] === PROTOBUF) return readProtobufConfigMap(bytes);
    return JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
  } catch {
    throw new StoreError({
      status: 400,
      reason: 'BadRequest',
      message: 'the body is neither JSON nor a ConfigMap in protobuf; the fake reads no YAML',
    });
  }
}
