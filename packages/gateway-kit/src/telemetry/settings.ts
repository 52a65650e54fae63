import type { GenAiConvention } from './names/gen-ai.ts';

/** A trace exporter this package can start. */
type ExporterName = 'otlp' | 'console';

const LATEST_GEN_AI = 'gen_ai_latest_experimental';

/** An OTLP protocol this package speaks. */
type OtlpProtocol = 'http/protobuf' | 'http/json';

/** A propagation format this package speaks. */
export type PropagatorName = 'tracecontext' | 'baggage';

/** What the environment asks for, as far as the SDK does not read it itself. */
export interface TelemetrySettings {
  /** Empty: tracing is off. */
  readonly exporters: readonly ExporterName[];
  readonly protocol: OtlpProtocol;
  readonly propagators: readonly PropagatorName[];
  readonly genAi: GenAiConvention;
  /** Values that were ignored, for the log. */
  readonly warnings: readonly string[];
}

/** Reads `OTEL_*` as the OpenTelemetry specification says: empty is unset, an unknown value is warned of and ignored. */
export function readTelemetrySettings(env: NodeJS.ProcessEnv): TelemetrySettings {
  const warnings: string[] = [];
  const read = (name: string): string | undefined => {
    const value = env[name]?.trim();
    return value === '' ? undefined : value;
  };
  warnOfUnserved(read, warnings);
  const exporters = readExporters(read, warnings);
  if (exporters.length === 0)
    return { exporters, protocol: 'http/protobuf', propagators: [], genAi: 'default', warnings };
  return {
    exporters,
    protocol: readProtocol(read, warnings),
    propagators: readPropagators(read, warnings),
    genAi: readGenAi(read, warnings),
    warnings,
  };
}

type Read = (name: string) => string | undefined;

function readExporters(read: Read, warnings: string[]): ExporterName[] {
  const disabled = read('OTEL_SDK_DISABLED')?.toLowerCase();
  if (disabled === 'true') return [];
  if (disabled !== undefined && disabled !== 'false') {
    warnings.push(`OTEL_SDK_DISABLED: found "${disabled}", expected true or false; taken as false`);
  }
  const names = listOf(read('OTEL_TRACES_EXPORTER'));
  if (names.includes('none')) return [];
  const known = new Set<ExporterName>();
  for (const name of names) {
    if (name === 'otlp' || name === 'console') known.add(name);
    else warnings.push(`OTEL_TRACES_EXPORTER: found "${name}", expected otlp, console or none; ignored`);
  }
  if (known.size > 0) return [...known];
  const hasEndpoint =
    (read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ?? read('OTEL_EXPORTER_OTLP_ENDPOINT')) !== undefined;
  return hasEndpoint ? ['otlp'] : [];
}

/** What people may set for signals that leave in another way here. */
function warnOfUnserved(read: Read, warnings: string[]): void {
  for (const name of listOf(read('OTEL_METRICS_EXPORTER'))) {
    if (name !== 'prometheus' && name !== 'none')
      warnings.push(
        `OTEL_METRICS_EXPORTER: found "${name}"; metrics are served at the admin port's /metrics only`,
      );
  }
  for (const name of ['OTEL_EXPORTER_PROMETHEUS_PORT', 'OTEL_EXPORTER_PROMETHEUS_HOST']) {
    if (read(name) !== undefined)
      warnings.push(`${name} is ignored: the config's admin listener serves /metrics`);
  }
  for (const name of listOf(read('OTEL_LOGS_EXPORTER'))) {
    if (name !== 'none') warnings.push(`OTEL_LOGS_EXPORTER: found "${name}"; the log goes to stderr only`);
  }
  if (read('OTEL_CONFIG_FILE') !== undefined)
    warnings.push('OTEL_CONFIG_FILE is ignored: set the OTEL_* variables instead');
}

function readProtocol(read: Read, warnings: string[]): OtlpProtocol {
  const name =
    read('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') === undefined
      ? 'OTEL_EXPORTER_OTLP_PROTOCOL'
      : 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL';
  const value = read(name);
  if (value === undefined || value === 'http/protobuf') return 'http/protobuf';
  if (value === 'http/json') return 'http/json';
  const fact =
    value === 'grpc' ? 'grpc is not supported' : `found "${value}", expected http/protobuf or http/json`;
  warnings.push(`${name}: ${fact}; using http/protobuf (its usual port is 4318, not 4317)`);
  return 'http/protobuf';
}

function readPropagators(read: Read, warnings: string[]): PropagatorName[] {
  const value = read('OTEL_PROPAGATORS');
  if (value === undefined) return ['tracecontext', 'baggage'];
  const names = listOf(value);
  if (names.includes('none')) return [];
  const known = new Set<PropagatorName>();
  for (const name of names) {
    if (name === 'tracecontext' || name === 'baggage') known.add(name);
    else warnings.push(`OTEL_PROPAGATORS: found "${name}", expected tracecontext, baggage or none; ignored`);
  }
  return [...known];
}

/** Conventions that instrumentations opt in to by this variable; ours speaks the stable HTTP names in any case. */
const STABILITY_VALUES: ReadonlySet<string> = new Set(
  ['http', 'database', 'messaging', 'rpc', 'code', 'k8s', 'service.peer'].flatMap((name) => [
    name,
    `${name}/dup`,
  ]),
);

function readGenAi(read: Read, warnings: string[]): GenAiConvention {
  const names = listOf(read('OTEL_SEMCONV_STABILITY_OPT_IN'));
  for (const name of names) {
    if (name !== LATEST_GEN_AI && !STABILITY_VALUES.has(name))
      warnings.push(`OTEL_SEMCONV_STABILITY_OPT_IN: found "${name}", expected ${LATEST_GEN_AI}; ignored`);
  }
  return names.includes(LATEST_GEN_AI) ? 'latest' : 'default';
}

function listOf(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter((item) => item !== '');
}
