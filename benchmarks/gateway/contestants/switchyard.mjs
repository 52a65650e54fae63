// The consumer gateway with everything on: overlay file and its watch, peek of the model, round robin, affinity, retries,
// metrics, response headers and an access log that goes to a file. Tracing is a variant.
import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, listening, PROXY_CORE, start } from '../lab/processes.mjs';

const entry = new URL('../../../apps/consumer-gateway/dist/main.js', import.meta.url).pathname;

/** Tracing costs by the share of traces that are kept; `undefined` is tracing off. */
function variant(name, sampled) {
  return {
    name,
    exact: true,
    node: true,
    traces: sampled,
    missing: () => (existsSync(entry) ? undefined : 'it is not built (pnpm build)'),
    async start({ directory, targets, sink, node = process.execPath, nodeArguments = [] }) {
      const [port, admin] = [await freePort(), await freePort()];
      const config = join(directory, `gateway-${port}.yaml`);
      // In a folder of its own, as it is in production: a log written beside it would wake the watch of that folder.
      const overlayFile = join(directory, `overlay-${port}`, 'routing-overlay.json');
      mkdirSync(join(directory, `overlay-${port}`), { recursive: true });
      const clusters = targets.map((target, i) => ({
        name: `provider-${i}`,
        endpoints: [{ url: `http://127.0.0.1:${target}` }],
      }));
      writeFileSync(overlayFile, JSON.stringify(await overlayOf(clusters.map((cluster) => cluster.name))));
      writeFileSync(
        config,
        JSON.stringify({ listen: { port }, admin: { port: admin }, routing: { overlayFile }, clusters }),
      );
      const [log, errors] = [join(directory, `gateway-${port}.log`), join(directory, `gateway-${port}.err`)];
      const child = start(node, [...nodeArguments, entry, '--config', config], {
        core: PROXY_CORE,
        stdout: log,
        stderr: errors,
        env: environment(sampled, sink),
      });
      await listening(child, port, errors);
      return {
        port,
        pid: child.pid,
        log,
        // The log is appended to, so the file can be emptied at any time.
        between: () => truncateSync(log),
        metrics: async () => (await fetch(`http://127.0.0.1:${admin}/metrics`)).text(),
        complaints: () =>
          readFileSync(errors, 'utf8')
            .split('\n')
            .filter((line) => /"level":(40|50|60)/.test(line)),
        stop: () => child.stop(),
      };
    },
  };
}

export const switchyard = variant('Switchyard', undefined);
export const traced = [variant('Switchyard, traces 1 %', 0.01), variant('Switchyard, traces 100 %', 1)];

function environment(sampled, sink) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('OTEL_')));
  env.NODE_ENV = 'production';
  if (sampled === undefined) return env;
  return {
    ...env,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${sink}`,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: String(sampled),
    // At full speed the default queue of 2,048 spans overflows between two batches, and dropped spans would be cheap ones.
    OTEL_BSP_MAX_QUEUE_SIZE: '200000',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '4096',
    // A fifth of the default, so that a window's traces are sent within it. Much shorter, and each trace of the few that
    // are kept would be an export of its own.
    OTEL_BSP_SCHEDULE_DELAY: '1000',
  };
}

async function overlayOf(names) {
  const { overlayDigest } = await import('../../../packages/overlay-contract/dist/index.js');
  const overlay = {
    network: 'bench',
    local_site: 'site-0',
    selection_policy: 'round_robin',
    candidates: names.map((cluster, i) => ({
      kind: 'inference_model',
      name: 'bench-model',
      site: `site-${i}`,
      cluster,
      fresh: true,
      stable_id: `id-${i}`,
      admission_state: 'new_and_existing',
      selection_group: 0,
    })),
  };
  const value = overlayDigest(overlay);
  return {
    schema_version: '1.0.0',
    revision: { kind: 'content_addressed', algorithm: 'sha256', value },
    content_digest: { algorithm: 'sha256', value },
    scope: { network: 'bench', gateway: 'bench', namespace: 'bench', local_site: 'site-0' },
    provenance: {
      producer: 'bench',
      producer_version: '1',
      source_name: 'bench',
      source_uid: 'bench',
      source_generation: 1,
      rendered_at: '2026-01-01T00:00:00Z',
    },
    overlay,
  };
}
