/** One variable of the environment, and what comes of it. */
export interface EnvironmentVariable {
  readonly name: string;
  /** What it does here. */
  readonly does: string;
}

/**
 * Every `OTEL_*` variable that people may set, for the reference; a test goes through them one by one. Empty is unset.
 * https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export const OTEL_VARIABLES: readonly EnvironmentVariable[] = [
  {
    name: 'OTEL_SDK_DISABLED',
    does: '`true` switches tracing off; the client’s trace headers pass unchanged.',
  },
  {
    name: 'OTEL_TRACES_EXPORTER',
    does: '`otlp`, `console` (JSON lines on stderr), `none`, or a list. Unset: `otlp` when an endpoint is set, else off. An unknown one is warned of and ignored.',
  },
  { name: 'OTEL_SERVICE_NAME', does: 'Wins over the app’s name and over `OTEL_RESOURCE_ATTRIBUTES`.' },
  { name: 'OTEL_RESOURCE_ATTRIBUTES', does: 'Added to the resource; wins over the app’s own.' },
  {
    name: 'OTEL_PROPAGATORS',
    does: '`tracecontext`, `baggage` (both by default), `none`. An unknown one is warned of and ignored; headers of a format that is not named are neither read nor touched.',
  },
  {
    name: 'OTEL_TRACES_SAMPLER',
    does: '`always_on`, `always_off`, `traceidratio` and their `parentbased_` forms; default `parentbased_always_on`. An unknown one is warned of and ignored.',
  },
  {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    does: 'The ratio, 0 to 1; for samplers with a ratio. None or another value is warned of and taken as 1.',
  },
  { name: 'OTEL_BSP_SCHEDULE_DELAY', does: 'How long spans wait for a batch, in ms; default 5000.' },
  { name: 'OTEL_BSP_EXPORT_TIMEOUT', does: 'How long a batch may take, in ms; default 30000.' },
  {
    name: 'OTEL_BSP_MAX_QUEUE_SIZE',
    does: 'Spans that wait at most; default 2048. Further ones are dropped, and how many is logged.',
  },
  { name: 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', does: 'Spans per export at most; default 512.' },
  { name: 'OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT', does: 'Attributes per span at most; default 128.' },
  { name: 'OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT', does: 'Longer texts are cut; no limit by default.' },
  {
    name: 'OTEL_ATTRIBUTE_COUNT_LIMIT',
    does: 'The same for every kind of attribute; the one for spans wins.',
  },
  {
    name: 'OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT',
    does: 'The same for every kind of attribute; the one for spans wins.',
  },
  { name: 'OTEL_EXPORTER_OTLP_ENDPOINT', does: 'Base URL; `/v1/traces` is appended.' },
  { name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', does: 'URL, used as it is; wins.' },
  {
    name: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    does: '`http/protobuf` (default) or `http/json`; `grpc` and others are warned of and taken as the default. `_TRACES_PROTOCOL` wins.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    does: 'Sent with every export. `_TRACES_HEADERS` is added and wins.',
  },
  { name: 'OTEL_EXPORTER_OTLP_TIMEOUT', does: 'Per export, in ms; default 10000. `_TRACES_TIMEOUT` wins.' },
  {
    name: 'OTEL_EXPORTER_OTLP_COMPRESSION',
    does: '`gzip`, or `none` by default. `_TRACES_COMPRESSION` wins.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_CERTIFICATE',
    does: 'PEM file with the authority that signed the collector’s certificate. `_TRACES_CERTIFICATE` wins.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE',
    does: 'PEM file with our certificate, for mutual TLS.',
  },
  { name: 'OTEL_EXPORTER_OTLP_CLIENT_KEY', does: 'PEM file with its key.' },
  {
    name: 'OTEL_METRICS_EXPORTER',
    does: 'Metrics are served as Prometheus text by the admin port whatever it says: `prometheus` and `none` are taken silently, others are warned of.',
  },
  {
    name: 'OTEL_EXPORTER_PROMETHEUS_PORT',
    does: 'Warned of: the config’s `admin.port` decides. The same for `OTEL_EXPORTER_PROMETHEUS_HOST`.',
  },
  { name: 'OTEL_LOGS_EXPORTER', does: 'Warned of unless `none`: the log goes to stderr.' },
  {
    name: 'OTEL_CONFIG_FILE',
    does: 'Warned of and ignored: no file of OpenTelemetry’s is read.',
  },
  {
    name: 'OTEL_SEMCONV_STABILITY_OPT_IN',
    does: '`gen_ai_latest_experimental` switches to the newer `gen_ai.*` names. Names for other conventions are taken silently, unknown ones warned of.',
  },
];
