// CPU of the proxy per request, 64 connections as fast as they can: JSON with small, middle and large request bodies, event
// streams at full speed and paced.
import { fastifyProxy, httpProxy3, portkey } from '../contestants/peers.mjs';
import { haproxy, nginx } from '../contestants/servers.mjs';
import { switchyard } from '../contestants/switchyard.mjs';
import { runSeries } from '../lab/series.mjs';
import { ratioTable } from '../report/tables.mjs';

/** All that are compared, the baseline first. */
export const CONTESTANTS = [nginx, haproxy, switchyard, httpProxy3, fastifyProxy, portkey];

const SMALL = 512;

function against(name, { bodyBytes = SMALL, reply = 'json', windowMs = 1 } = {}) {
  const streamed = reply !== 'json';
  return {
    async run(lab) {
      const plan = {
        name,
        bodyBytes,
        reply,
        streamed,
        baseline: nginx.name,
        contestants: lab.only(CONTESTANTS),
      };
      return runSeries(lab, { ...plan, load: { ms: lab.windowMs * windowMs } });
    },
    report: (rows) => ratioTable(rows, { streamed }),
  };
}

export const json = { title: 'JSON, request of 0.5 KB', ...against('json') };
export const json10k = { title: 'JSON, request of 10 KB', ...against('json10k', { bodyBytes: 10_240 }) };
export const json1m = { title: 'JSON, request of 1 MB', ...against('json1m', { bodyBytes: 1_000_000 }) };
export const sse = { title: 'Event stream of 50, no pauses', ...against('sse', { reply: 'sse 50 0' }) };
export const paced = {
  title: 'Event stream of 50, one per 10 ms',
  ...against('paced', { reply: 'sse 50 10000', windowMs: 2 }),
};
