import { readdir, readFile, readlink } from 'node:fs/promises';

/** What a process holds at one moment. */
export interface Held {
  /** Seconds since the soak began. */
  readonly atSeconds: number;
  readonly residentMiB: number;
  /** Open file descriptors that are sockets. */
  readonly sockets: number;
}

/** Looks at a process from outside (Linux). */
export async function look(pid: number, atSeconds: number): Promise<Held> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const residentMiB = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
  return { atSeconds, residentMiB, sockets: await openSockets(pid) };
}

/** How many sockets a process has open. */
export async function openSockets(pid: number): Promise<number> {
  const names = await readdir(`/proc/${pid}/fd`);
  const targets = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')));
  return targets.filter((target) => target.startsWith('socket:')).length;
}

/**
 * Growth of memory per minute, in MiB: the slope through the lowest value of each tenth of the time after warming up.
 * A garbage collector lets memory swing, and only what stays at its low points is held.
 */
export function growthPerMinute(samples: readonly Held[], warmUpSeconds: number): number {
  const warm = samples.filter(({ atSeconds }) => atSeconds >= warmUpSeconds);
  const size = Math.max(1, Math.floor(warm.length / 10));
  const lows: Held[] = [];
  for (let from = 0; from + size <= warm.length; from += size) {
    const part = warm.slice(from, from + size);
    lows.push(part.reduce((low, sample) => (sample.residentMiB < low.residentMiB ? sample : low)));
  }
  const mean = (of: (sample: Held) => number): number =>
    lows.reduce((sum, sample) => sum + of(sample), 0) / lows.length;
  const [meanX, meanY] = [mean(({ atSeconds }) => atSeconds), mean(({ residentMiB }) => residentMiB)];
  const spread = lows.reduce((sum, { atSeconds }) => sum + (atSeconds - meanX) ** 2, 0);
  const joint = lows.reduce(
    (sum, { atSeconds, residentMiB }) => sum + (atSeconds - meanX) * (residentMiB - meanY),
    0,
  );
  return spread === 0 ? 0 : (joint / spread) * 60;
}
