export {
  type AdminServer,
  type AdminServerOptions,
  createAdminServer,
  type Readiness,
} from './admin/admin-server.ts';
export { type ApiError, type ApiErrorReply, apiError, type ErrorContext } from './api/api-error.ts';
export {
  API_ROUTES,
  type ApiMethod,
  type ApiRoute,
  type AskedIn,
  type ErrorShape,
  type MatchedRoute,
  matchApiRoute,
  pathOfTarget,
} from './api/api-routes.ts';
export {
  type Asked,
  type AskedResult,
  type AskingRequest,
  type AskProblem,
  type AskProblemCode,
  quoted,
} from './api/asked.ts';
export { encodedBody } from './api/body-label.ts';
export { commitPoint } from './api/commit-point.ts';
export { readAsked } from './api/read-asked.ts';
export { type StateKind, stateKey } from './api/state-key.ts';
export {
  type ClusterConfig,
  type ClusterShape,
  type ClusterTlsFiles,
  checkCluster,
  checkClusterNames,
  clusterShape,
  type EndpointConfig,
} from './clusters/cluster-config.ts';
export {
  type ClusterEntry,
  ClusterRegistry,
  type ClusterRegistryOptions,
  type EndpointMetadata,
} from './clusters/cluster-registry.ts';
export { readTlsFile, type TlsFile, TlsFileError } from './clusters/tls-file.ts';
export { ConfigError, type ConfigIssue, formatIssue, formatPath } from './config/config-error.ts';
export { type ConfigSource, loadConfig } from './config/load-config.ts';
export { type DanglingReference, danglingReference } from './config/references.ts';
export { type ListenAddress, listenSchema } from './config/schemas.ts';
export { type OpenPort, type OpenPortOptions, openPort } from './http/open-port.ts';
export { headerSafe, headerValues, traceIdOf } from './http/raw-headers.ts';
export { RunningRequests } from './http/running-requests.ts';
export {
  type ResolvedShutdown,
  resolveShutdown,
  type ShutdownConfig,
  shutdownDeadlineMs,
  shutdownSchema,
} from './http/shutdown-config.ts';
export { UnroutedReport, type UnroutedSinks } from './http/unrouted-report.ts';
export { createLineWriter, type LineWriter, stdoutLines } from './log/line-writer.ts';
export { createLogger, type LoggerOptions } from './log/logger.ts';
export { REDACTED, redactCredentials } from './log/redact.ts';
export type {
  AppContext,
  AppDefinition,
  FlagDefinition,
  ListenerName,
  RunningApp,
} from './main/app-definition.ts';
export type { AppTelemetry, TelemetryDescription } from './main/describe-telemetry.ts';
export { EXIT_CODES } from './main/exit-codes.ts';
export { runApp } from './main/run-app.ts';
export { type CloseStep, startInSteps } from './main/start-in-steps.ts';
export { LATENCY_BUCKETS_SECONDS } from './metrics/buckets.ts';
export { type LabelDefinition, OTHER } from './metrics/definition.ts';
export { GenAiMetrics, ModelCall } from './metrics/gen-ai-metrics.ts';
export type { Counter, Gauge, Histogram } from './metrics/instruments.ts';
export { MetricRegistry, type RegistryOptions } from './metrics/registry.ts';
export { closeServer } from './net/close-server.ts';
export { ListenError, type ListenErrorCode, listen } from './net/listen.ts';
export { warnOfFewOpenFiles } from './net/open-files.ts';
export { type ErrorReply, type OpenAiErrorInput, openAiError } from './net/openai-error.ts';
export { sendJson } from './net/send-json.ts';
export { ClientSpan, type ClientSpanStart } from './telemetry/client-span.ts';
export {
  GEN_AI_ATTRIBUTES,
  type GenAiCall,
  genAiAttributes,
  genAiCall,
} from './telemetry/names/gen-ai.ts';
export {
  HTTP_CLIENT_ATTRIBUTES,
  HTTP_SERVER_ATTRIBUTES,
  type HttpClientAttribute,
  type HttpServerAttribute,
  methodAttribute,
  pathAttribute,
} from './telemetry/names/http-attributes.ts';
export type {
  AttributeCatalogue,
  SpanAttributes,
  SpanDefinition,
} from './telemetry/names/span-definition.ts';
export { disabledTelemetry, startTelemetry } from './telemetry/start-telemetry.ts';
export type { Telemetry, TelemetryOptions } from './telemetry/telemetry.ts';
export { nearest } from './text/nearest.ts';
export { type Clock, systemClock } from './time/clock.ts';
