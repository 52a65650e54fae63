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
