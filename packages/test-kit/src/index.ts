export { appEntry } from './app/app-entry.ts';
export { isAlive } from './app/is-alive.ts';
export { type FinishedProcess, type RunToExitOptions, runNodeToExit, runToExit } from './app/run-to-exit.ts';
export { type NodeProcess, type ProcessExit, type SpawnNodeOptions, spawnNode } from './app/spawn-node.ts';
export { type AppProcess, type ListenerName, type StartAppOptions, startApp } from './app/start-app.ts';
export { chromiumPath, launchChromium, NO_CHROMIUM } from './browser/chromium.ts';
export { expectCaught } from './expect-caught.ts';
export type { FaultMode } from './fault/fault-mode.ts';
export { type FaultUpstream, type FaultUpstreamOptions, startFaultUpstream } from './fault/fault-upstream.ts';
export type { RecordedRequest } from './fault/recorded-request.ts';
export type { ApiFault, ApiVerb } from './kubernetes/api-faults.ts';
export { ConfigMapStore, type StoredConfigMap, type StoreEvent } from './kubernetes/config-map-store.ts';
export {
  type ApiRequestRecord,
  type FakeKubernetes,
  type FakeKubernetesOptions,
  startFakeKubernetes,
} from './kubernetes/fake-kubernetes.ts';
export type { WatchStream } from './kubernetes/watch-stream.ts';
export { ManualClock, type ManualClockOptions } from './manual-clock.ts';
export { type RawHttpOptions, rawHttp } from './raw-http.ts';
export { type ReadmeExampleOptions, runReadmeExample } from './readme-example.ts';
export { repositoryRoot } from './repository.ts';
export { seededRandom } from './seeded-random.ts';
export { type TempDir, tempDir } from './temp-dir.ts';
export {
  type Certificate,
  type CertificateOptions,
  hasOpenssl,
  localhostCertificate,
  makeCertificates,
} from './tls/certificates.ts';
export { type WaitUntilOptions, waitUntil } from './wait-until.ts';
