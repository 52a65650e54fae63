export { type ClientTracing, startClientTracing } from './client/client-tracing.ts';
export { type Question, type Sender, sendRequest } from './client/send-request.ts';
export { readReply } from './evidence/backend-reply.ts';
export { countByBackend, countByClient, countByGateway, sameCounts, tally } from './evidence/counts.ts';
export { writeEffectiveConfigs } from './evidence/effective-configs.ts';
export { RUN_FOLDER, writeChecksums } from './evidence/evidence-folder.ts';
export { type Claims, falseClaims } from './evidence/false-claims.ts';
export { type SettleOptions, settle } from './evidence/settle.ts';
export { readSpans } from './evidence/spans.ts';
export { json, lines, ndjson, sha256 } from './evidence/text.ts';
export { agrees, type GateOptions, waitForAgreement } from './observe/gate.ts';
export {
  overlayIdentity,
  processState,
  readGroups,
  readRejection,
  readRevisions,
} from './observe/gateway.ts';
export { Child, type ChildOptions } from './processes/child.ts';
export { keepRunning, raceAbort } from './processes/interrupt.ts';
export { samplingNotes } from './processes/sampling-notes.ts';
export {
  type AppConfig,
  type AppStart,
  type BackendStart,
  type Env,
  port,
  Starter,
  type StarterOptions,
  writeManifest,
  writeManifests,
} from './processes/starter.ts';
export { type Supervision, supervise } from './processes/supervise.ts';
export type {
  BackendReply,
  Counts,
  GroupMember,
  OverlayIdentity,
  Proof,
  RequestRecord,
  Revisions,
  SpanRecord,
} from './records.ts';
export { type DemoCommandLine, demoMain } from './screen/demo-main.ts';
export type { Screen } from './screen/screen.ts';
export { UsageError } from './screen/usage-error.ts';
export { showVerdict, splitTable, type Verdict } from './screen/verdict.ts';
