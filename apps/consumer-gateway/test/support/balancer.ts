import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** One place a {@link Balancer} may send connections to. */
export interface BalancedTarget {
  readonly proxy: number;
  readonly admin: number;
}

/** A TCP load balancer that looks at readiness, as one in front of gateways does. */
export interface Balancer {
  readonly port: number;
  /** Targets that may get connections when they are ready; an absent one gets none. */
  setTargets(targets: readonly BalancedTarget[]): void;
  /** Connections given to each proxy port. */
  readonly given: ReadonlyMap<number, number>;
  close(): void;
}

/** How often readiness is asked for. */
const CHECK_MS = 50;

/**
 * Starts a balancer that gives each new connection, whole and byte for byte, to the next ready target. It knows no HTTP
 * on that path and repeats nothing: what a gateway breaks, the client sees.
 */
export async function startBalancer(): Promise<Balancer> {
  const ready = new Set<number>();
  const given = new Map<number, number>();
  const open = new Set<Socket>();
  let targets: readonly BalancedTarget[] = [];
  let turn = 0;

  const check = async ({ proxy, admin }: BalancedTarget): Promise<void> => {
    const isReady = await fetch(`http://127.0.0.1:${admin}/readyz`).then(
      async (answer) => {
        await answer.body?.cancel();
        return answer.ok;
      },
      () => false,
    );
    if (isReady && targets.some((target) => target.proxy === proxy)) ready.add(proxy);
    else ready.delete(proxy);
  };
  let checking = true;
  const checkAll = async (): Promise<void> => {
    while (checking) {
      await Promise.all(targets.map(check));
      await sleep(CHECK_MS);
    }
  };
  void checkAll();

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const usable = targets.filter(({ proxy }) => ready.has(proxy));
    const target = usable[turn++ % Math.max(usable.length, 1)];
    if (target === undefined) {
      client.destroy();
      return;
    }
    given.set(target.proxy, (given.get(target.proxy) ?? 0) + 1);
    const gateway = connect({ port: target.proxy, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    join(client, gateway);
    join(gateway, client);
    for (const socket of [client, gateway]) {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    given,
    setTargets: (next) => {
      targets = next;
      for (const proxy of ready) if (!next.some((target) => target.proxy === proxy)) ready.delete(proxy);
    },
    close: () => {
      checking = false;
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** Passes on data, ends and breaks in one direction. */
function join(from: Socket, to: Socket): void {
  from.pipe(to);
  from.on('error', () => to.resetAndDestroy());
  from.on('close', () => to.destroySoon());
}
