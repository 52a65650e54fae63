import type { AppDefinition } from '@switchyard/gateway-kit';
import { compose } from './compose.ts';
import { type VcrConfig, vcrConfigSchema } from './config.ts';
import { createVcrMetrics } from './metrics/vcr-metrics.ts';
import { REPLY_SPAN } from './telemetry/server-span.ts';

const NAME = 'vcr-backend';
const VERSION = '0.1.0';

/** The app, ready for `runApp`. */
export const vcrBackend: AppDefinition<VcrConfig> = {
  name: NAME,
  version: VERSION,
  summary: 'replays recorded LLM API interactions byte for byte, with their timing',
  examples: ['vcr-backend --config vcr.yaml', 'vcr-backend --config vcr.yaml --speed 0'],
  schema: vcrConfigSchema,
  telemetry: { metrics: createVcrMetrics, spans: [REPLY_SPAN] },
  flags: {
    speed: {
      value: 'N',
      help: 'pace of the replay: 1 as recorded, 10 ten times faster, 0 no waiting; wins over the config',
      check: (text) => (parseSpeed(text) === undefined ? 'needs a number from 0 up' : undefined),
    },
  },
  resourceAttributes: (config) => ({ 'service.instance.id': config.instance }),
  start: (config, context) => {
    const flag = context.flags['speed'];
    const speed = (flag === undefined ? undefined : parseSpeed(flag)) ?? config.speed;
    return compose(config, context, { name: NAME, version: VERSION, speed });
  },
};

/** A finite number from 0 up, in plain decimal notation. */
function parseSpeed(text: string): number | undefined {
  const speed = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(speed) ? speed : undefined;
}
