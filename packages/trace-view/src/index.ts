export { ActionError, type ActionHandler } from './actions/actions.ts';
export { type Clock, systemClock } from './clock.ts';
export type {
  ActionReply,
  AppendEvent,
  DocumentEvent,
  ForwardState,
  Json,
  ResyncEvent,
  StatusEvent,
  TracesEvent,
  ViewEvents,
  ViewState,
} from './contract/events.ts';
export type {
  SpanView,
  StoreStats,
  TraceDetail,
  TraceList,
  TraceSummary,
  TreePlace,
  TreeRow,
} from './contract/traces.ts';
export { TRACE_VIEW_ERROR_CODES, TraceViewError, type TraceViewErrorCode } from './errors.ts';
export type { EventOptions } from './events/event-options.ts';
export type {
  Attributes,
  AttributeValue,
  Span,
  SpanEvent,
  SpanKind,
  SpanLink,
  SpanSource,
  SpanStatus,
} from './model/span.ts';
export type { TraceViewOptions } from './options/trace-view-options.ts';
export { exportPage, type PageExport } from './page/export-page.ts';
export {
  type ActivityEntry,
  type Control,
  type ControlGroup,
  type ControlsDocument,
  type Ejection,
  type EvidenceDocument,
  type EvidenceFile,
  LIST_LIMITS,
  type OverlayCandidate,
  type OverlayEntry,
  type PageDocuments,
  type ProofEntry,
  type ProviderCounts,
  type ProviderNode,
  type RequestRow,
  type RunDocument,
  type TopologyDocument,
  type VerdictDocument,
} from './page/state.ts';
export type { OtlpEncoding, ReceivedExport, ReceiverOptions } from './receiver/receiver-options.ts';
export type { TraceStoreOptions } from './store/store-options.ts';
export { type AddResult, type StoreChange, type TraceQuery, TraceStore } from './store/trace-store.ts';
export { startTraceView, type TraceView } from './trace-view.ts';
