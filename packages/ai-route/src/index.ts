export { TOKEN_LENGTH_MAX as SESSION_TOKEN_LENGTH_MAX } from './affinity/binding-token.ts';
export type { StateHolder, StateNamer } from './affinity/state-holders.ts';
export { type Clock, systemClock } from './clock.ts';
export type {
  AffinityOutcome,
  DecisionReason,
  NotReady,
  RetryRefusalReason,
  RetryResult,
  RouteDecision,
  RouteRefusal,
  RouteRequest,
  RouteResult,
  SelectedCandidate,
  Selection,
  SkippedCandidate,
  SkipReason,
} from './decision.ts';
export {
  type OptionIssue,
  RouterOptionsError,
  RouterStartError,
  type RouterStartErrorCode,
} from './errors.ts';
export {
  type AcceptedEvent,
  type ExpiredEvent,
  type LastGoodUnsavedEvent,
  READ_FAILURE_CODES,
  type ReadFailureCode,
  type RejectedEvent,
  type RejectionCode,
  type RestoredEvent,
  type RollbackEvent,
  type RouterEvent,
  type StaticMountEvent,
  type UnchangedEvent,
  type UnknownClustersEvent,
  type UnreadableEvent,
  type WatchDegradedEvent,
  type WorkerFailedEvent,
} from './events.ts';
export type { EjectedEvent, RecoveredEvent, ViabilityEvent } from './health/viability-event.ts';
export type {
  AffinityOptions,
  CommonRouterOptions,
  OverlayLimits,
  OverlayRouterOptions,
  ReloadOptions,
  RetryBudgetOptions,
  RetryOptions,
  RouterOptions,
  StateOptions,
  StaticCandidate,
  StaticRouterOptions,
  ViabilityOptions,
} from './options/options.ts';
export type { AttemptOutcome, AttemptResult } from './outcome/attempt-outcome.ts';
export { ATTEMPT_RESULTS, OUTCOME_TABLE, type OutcomeRule } from './outcome/outcome-table.ts';
export type { StartMode } from './pickers/start-offset.ts';
export { type Random, sfc32, systemRandom } from './random.ts';
export { type ReadOutcome, readBounded } from './reload/read-bounded.ts';
export { type ReplaceFileOptions, removeLeftovers, replaceFile } from './reload/replace-file.ts';
export { DirectoryWatch, type DirectoryWatchListener } from './reload/watch-directory.ts';
export type { RetryRefusals } from './retry/retry-refusals.ts';
export { createRouter, type Router } from './router.ts';
export type {
  CapabilitySummary,
  CapabilityView,
  EjectedCandidate,
  ExplainedCandidate,
  GroupView,
  HealthReason,
  HealthReasonCode,
  LastGoodFileView,
  LastRejection,
  MemberHealthView,
  MemberView,
  ReloadCounters,
  RouteExplanation,
  RouteFilter,
  RouterHealth,
  RouterStatus,
  TrafficView,
} from './views.ts';
