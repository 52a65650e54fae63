import { randomUUID } from 'node:crypto';
import { applyMergePatch } from './merge-patch.ts';
import type { Refusal } from './status-object.ts';

/** A stored ConfigMap. Members this fake gives no meaning to are kept as they came. */
export interface StoredConfigMap {
  readonly apiVersion: 'v1';
  readonly kind: 'ConfigMap';
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly creationTimestamp: string;
    readonly [member: string]: unknown;
  };
  readonly data?: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
}

/** One change, as watches tell it. */
export interface StoreEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly version: number;
  readonly object: StoredConfigMap;
}

/** A refusal, with the HTTP status and the word that Kubernetes has for it. */
export class StoreError extends Error implements Refusal {
  override readonly name = 'StoreError';
  readonly status: number;
  readonly reason: string;
  /** Name of the ConfigMap it is about. */
  readonly about: string | undefined;

  constructor({ status, reason, message, about }: Refusal) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.about = about;
  }
}

type Json = Readonly<Record<string, unknown>>;

/** ConfigMaps with one growing resource version over all of them, and a history that can be compacted. */
export class ConfigMapStore {
  readonly #objects = new Map<string, StoredConfigMap>();
  readonly #history: StoreEvent[] = [];
  readonly #listeners = new Set<(event: StoreEvent) => void>();
  readonly #now: () => number;
  #version = 100;
  /** Watches from a version below this one are expired. */
  #oldest = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The resource version of the last change. */
  get version(): number {
    return this.#version;
  }

  /** @throws {@link StoreError} 404. */
  get(namespace: string, name: string): StoredConfigMap {
    const found = this.#objects.get(`${namespace}/${name}`);
    if (found === undefined)
      throw new StoreError({
        status: 404,
        reason: 'NotFound',
        message: `configmaps "${name}" not found`,
        about: name,
      });
    return found;
  }

  list(namespace: string | undefined): StoredConfigMap[] {
    const all = [...this.#objects.values()];
    return all.filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace);
  }

  /** @throws {@link StoreError} 409 when it exists, 422 when it has no name. */
  create(namespace: string, body: Json): StoredConfigMap {
    const metadata = metadataOf(body);
    const name = metadata['name'];
    if (typeof name !== 'string' || name === '') {
      throw new StoreError({
        status: 422,
        reason: 'Invalid',
        message: 'ConfigMap "" is invalid: metadata.name: Required value',
      });
    }
    if (this.#objects.has(`${namespace}/${name}`)) {
      throw new StoreError({
        status: 409,
        reason: 'AlreadyExists',
        message: `configmaps "${name}" already exists`,
        about: name,
      });
    }
    const uid = randomUUID();
    const creationTimestamp = new Date(this.#now()).toISOString().replace(/\.\d+Z$/, 'Z');
    return this.#put('ADDED', {
      ...body,
      metadata: { ...metadata, name, namespace, uid, creationTimestamp },
    });
  }

  /** @throws {@link StoreError} 404; 409 when `metadata.resourceVersion` is given and not the current one. */
  update(namespace: string, name: string, body: Json): StoredConfigMap {
    const current = this.get(namespace, name);
    const { uid, creationTimestamp, resourceVersion } = current.metadata;
    const metadata = metadataOf(body);
    const given = metadata['resourceVersion'];
    if (given !== undefined && given !== resourceVersion) {
      const message = `Operation cannot be fulfilled on configmaps "${name}": the object has been modified; please apply your changes to the latest version and try again`;
      throw new StoreError({ status: 409, reason: 'Conflict', message: message, about: name });
    }
    const next = { ...body, metadata: { ...metadata, name, namespace, uid, creationTimestamp } };
    // As the real one: what changes nothing makes no new version and no event.
    if (sameContent(next, current)) return current;
    return this.#put('MODIFIED', next);
  }

  /** Merge patch, and strategic merge patch: for a ConfigMap, which has no lists that merge, the two are one. */
  patch(namespace: string, name: string, patch: Json): StoredConfigMap {
    return this.update(namespace, name, applyMergePatch(this.get(namespace, name), patch));
  }

  /** @throws {@link StoreError} 404. */
  delete(namespace: string, name: string): StoredConfigMap {
    const { resourceVersion: _, ...metadata } = this.get(namespace, name).metadata;
    const last = this.#stamp({ ...this.get(namespace, name), metadata });
    this.#objects.delete(`${namespace}/${name}`);
    this.#record({ type: 'DELETED', version: this.#version, object: last });
    return last;
  }

  /** Forgets the history so far: watches from before now get 410. */
  compact(): void {
    this.#history.length = 0;
    this.#oldest = this.#version;
  }

  /** Advances the version as a change of some other object does. */
  changeElsewhere(): void {
    this.#version++;
  }

  /**
   * Calls for each change after `version`, those of the past first. Returns what ends it.
   * @throws {@link StoreError} 410 when the history doesn't reach back so far.
   */
  follow(version: number, listener: (event: StoreEvent) => void): () => void {
    if (version < this.#oldest) {
      const message = `too old resource version: ${version} (${this.#oldest})`;
      throw new StoreError({ status: 410, reason: 'Expired', message: message });
    }
    for (const event of this.#history) if (event.version > version) listener(event);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #put(type: 'ADDED' | 'MODIFIED', body: Json): StoredConfigMap {
    const object = this.#stamp(body);
    this.#objects.set(`${object.metadata.namespace}/${object.metadata.name}`, object);
    this.#record({ type, version: this.#version, object });
    return object;
  }

  #stamp(body: Json): StoredConfigMap {
    this.#version++;
    const metadata = { ...metadataOf(body), resourceVersion: String(this.#version) };
    return { ...body, apiVersion: 'v1', kind: 'ConfigMap', metadata } as StoredConfigMap;
  }

  #record(event: StoreEvent): void {
    this.#history.push(event);
    for (const listener of [...this.#listeners]) listener(event);
  }
}

function metadataOf(body: Json): Json {
  const { metadata } = body;
  return typeof metadata === 'object' && metadata !== null ? (metadata as Json) : {};
}

function sameContent(next: Json, current: StoredConfigMap): boolean {
  const bare = (object: Json): string => {
    const { resourceVersion: _, ...metadata } = metadataOf(object);
    const { apiVersion: _a, kind: _k, ...rest } = object;
    return JSON.stringify(sorted({ ...rest, metadata }));
  };
  return bare(next) === bare(current);
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
