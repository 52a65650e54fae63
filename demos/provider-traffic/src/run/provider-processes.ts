import { type Child, type Env, port, type Starter } from '@switchyard/demo-kit';
import { stableId } from '@switchyard/grid-core';

/** How to start one provider gateway. */
export interface ProviderStart {
  /** Such as `a`. */
  readonly site: string;
  /** Its config file. */
  readonly file: string;
  readonly backendUrl: string;
}

interface Running {
  readonly start: ProviderStart;
  child: Child;
}

/** The provider gateways' processes, each of which can be killed and started again at its old ports. */
export class ProviderProcesses {
  readonly #starter: Starter;
  readonly #running = new Map<string, Running>();

  constructor(starter: Starter) {
    this.#starter = starter;
  }

  /** Starts `provider-SITE` on free ports. */
  async start(start: ProviderStart): Promise<void> {
    this.#running.set(`provider-${start.site}`, { start, child: await this.#spawn(start, {}) });
  }

  /** URLs of all providers as the manifests and the consumer gateway's config name them. */
  urls(): Env {
    return Object.fromEntries(
      [...this.#running.values()].flatMap(({ start, child }) => [
        [`PROVIDER_${start.site.toUpperCase()}_URL`, `http://127.0.0.1:${port(child, 'proxy')}`],
        [`PROVIDER_${start.site.toUpperCase()}_ADMIN_URL`, `http://127.0.0.1:${port(child, 'admin')}`],
      ]),
    );
  }

  /** Kills a provider's process without a word, as a crash would. Returns its pid. */
  kill(name: string): number {
    const { child } = this.#of(name);
    child.kill();
    return child.pid;
  }

  /** Starts a killed provider again, where the others look for it. Returns its pid. */
  async restore(name: string): Promise<number> {
    const running = this.#of(name);
    const { child, start } = running;
    running.child = await this.#spawn(start, {
      PROXY_PORT: String(port(child, 'proxy')),
      ADMIN_PORT: String(port(child, 'admin')),
    });
    return running.child.pid;
  }

  #of(name: string): Running {
    const running = this.#running.get(name);
    if (running === undefined)
      throw new Error(`there is no ${name}; there are: ${[...this.#running.keys()].join(', ')}`);
    return running;
  }

  #spawn({ site, file, backendUrl }: ProviderStart, ports: Env): Promise<Child> {
    const name = `provider-${site}`;
    const identity = {
      kind: 'inference_model',
      name: 'demo-model',
      site: `site-${site}`,
      cluster: name,
    } as const;
    return this.#starter.app({
      name,
      app: 'provider-gateway',
      file,
      env: { PROVIDER_ID: name, CANDIDATE_ID: stableId(identity), BACKEND_URL: backendUrl, ...ports },
      listeners: ['proxy', 'admin'],
    });
  }
}
