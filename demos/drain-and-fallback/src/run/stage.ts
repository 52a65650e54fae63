import { copyFile, mkdir, readlink, rename, symlink, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  agrees,
  type ClientTracing,
  processState,
  readGroups,
  readRejection,
  readRevisions,
  type Screen,
  sendRequest,
} from '@switchyard/demo-kit';
import type { Moment, StepId, StepRequest } from '../records/types.ts';
import type { Topology } from './topology.ts';

const MODEL = 'demo-model';
const BODY = JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Which site answers?' }] });
const WAIT_TIMEOUT_MS = 30_000;
const POLL_MS = 50;

/** What a stage needs. */
export interface StageOptions {
  readonly topology: Topology;
  readonly tracing: ClientTracing;
  readonly screen: Screen;
  readonly signal: AbortSignal;
}

/** Where the story is played: sends requests, waits for what was caused, and writes down everything on the way. */
export class Stage {
  readonly topology: Topology;
  readonly requests: StepRequest[] = [];
  readonly moments: Moment[] = [];
  readonly #options: StageOptions;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #step: StepId = 'steady';

  constructor(options: StageOptions) {
    this.#options = options;
    this.topology = options.topology;
  }

  /** Names the step that the following requests belong to. */
  begin(step: StepId, title: string): void {
    this.#step = step;
    this.#options.screen.line(`  ${String(this.moments.length + 1)}. ${title}`);
  }

  /** Writes down how things stand at the end of the step. */
  async end(): Promise<void> {
    this.moments.push(await this.#look());
  }

  /** Sends requests of no session, one after another. */
  async ask(count: number): Promise<void> {
    for (let asked = 0; asked < count; asked++) await this.#send(null);
  }

  /** Goes round the sessions `rounds` times, one request each. */
  async askEach(sessions: readonly string[], rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++) for (const session of sessions) await this.#send(session);
  }

  /** Sends requests until the first group answers several in a row at their first attempt. */
  async askUntil(until: { settledAfter: number; max: number; pauseMs: number }): Promise<void> {
    let settled = 0;
    for (let asked = 0; asked < until.max && settled < until.settledAfter; asked++) {
      const { group, attempts } = await this.#send(null);
      settled = group === 0 && attempts === 1 ? settled + 1 : 0;
      if (settled === 0) await sleep(until.pauseMs, undefined, { signal: this.#options.signal });
    }
  }

  /** Waits until published, accepted and serving revision agree and `expected` holds. */
  async agreement(what: string, expected: (moment: Moment) => boolean): Promise<void> {
    await this.#until(what, (now) => agrees(now.revisions, now.revisions.published) && expected(now));
  }

  /** Stops the control plane's process where it stands. */
  async stopController(): Promise<void> {
    this.topology.controller.signal('SIGSTOP');
    await this.#until('a stopped controller', (now) => now.controllerStopped);
  }

  /** Lets the control plane go on. */
  async continueController(): Promise<void> {
    this.topology.controller.signal('SIGCONT');
    await this.#until('a running controller', (now) => !now.controllerStopped);
  }

  /**
   * Publishes something that is no overlay, in the way real ones come: by a swap of `..data`. Returns when the gateway
   * has refused it.
   *
   * @returns Publishes what was there before.
   */
  async breakOverlay(): Promise<() => Promise<void>> {
    const { overlayDirectory } = this.topology;
    const link = join(overlayDirectory, '..data');
    const good = await readlink(link);
    const broken = '..broken';
    await mkdir(join(overlayDirectory, broken), { recursive: true });
    await writeFile(
      join(overlayDirectory, broken, 'routing-overlay.json'),
      '{"schema_version": "1.0.0", "overlay"',
    );
    await copyFile(
      join(overlayDirectory, good, 'routing-config.json'),
      join(overlayDirectory, broken, 'routing-config.json'),
    );
    await swap(link, broken);
    await this.#until('a refused overlay', (now) => now.rejected !== null);
    return async () => {
      await swap(link, good);
      await this.#until('an accepted overlay', (now) => now.rejected === null);
    };
  }

  /** Ends the client's connections. */
  close(): void {
    this.#agent.destroy();
  }

  async #send(session: string | null): Promise<StepRequest> {
    const { tracing, signal, screen } = this.#options;
    const n = this.requests.length + 1;
    const record = await sendRequest(
      { gatewayUrl: this.topology.gatewayUrl, agent: this.#agent, tracing, signal },
      { n, body: BODY, stream: false, headers: session === null ? {} : { 'x-session-id': session } },
    );
    const request: StepRequest = { ...record, step: this.#step, session };
    this.requests.push(request);
    screen.live(`     request ${n}  ${session ?? ''}  ${record.provider ?? 'failed'}`);
    return request;
  }

  async #look(): Promise<Moment> {
    const { overlayFile, adminUrl, controller } = this.topology;
    const [revisions, groups, rejected] = await Promise.all([
      readRevisions(overlayFile, adminUrl),
      readGroups(adminUrl, MODEL),
      readRejection(adminUrl),
    ]);
    const controllerStopped = processState(controller.pid) === 'T';
    return { step: this.#step, revisions, groups, rejected, controllerStopped };
  }

  async #until(what: string, holds: (now: Moment) => boolean): Promise<void> {
    const deadline = performance.now() + WAIT_TIMEOUT_MS;
    for (;;) {
      const now = await this.#look();
      if (holds(now)) return;
      if (performance.now() > deadline) {
        throw new Error(`waited ${WAIT_TIMEOUT_MS} ms for ${what}; last seen: ${JSON.stringify(now)}`);
      }
      await sleep(POLL_MS, undefined, { signal: this.#options.signal });
    }
  }
}

async function swap(link: string, target: string): Promise<void> {
  const temporary = `${link}_demo`;
  await symlink(target, temporary);
  await rename(temporary, link);
}
