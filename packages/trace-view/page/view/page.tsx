import { useEffect } from 'preact/hooks';
import type { PageState } from '../model/page-state.ts';
import { providerLooks } from '../model/providers.ts';
import type { Source } from '../model/source.ts';
import { Announcer } from './announcer.tsx';
import { Controls } from './controls.tsx';
import { Evidence } from './evidence.tsx';
import { Header } from './header.tsx';
import { usePageState, usePlace } from './hooks.ts';
import { OverlayTimeline } from './overlay-timeline.tsx';
import { RequestPanel } from './request/request-panel.tsx';
import { Requests } from './requests/requests.tsx';
import { Topology } from './topology/topology.tsx';
import { Proofs } from './verdict/proofs.tsx';
import { Verdict } from './verdict/verdict.tsx';

/** A button and no link, because the address is taken: it says which request is chosen. */
function skipToRequests(): void {
  document.querySelector<HTMLElement>('.port')?.focus();
}

/** The one screen: the verdict first, then who got what, then each request and why it went there. */
export function Page({ source }: { readonly source: Source }) {
  const state = usePageState(source);
  const [place, go] = usePlace();
  const looks = providerLooks(state);
  const {
    run,
    verdict,
    topology,
    requests = [],
    overlays = [],
    controls,
    activity = [],
    evidence,
  } = state.documents;
  useEffect(() => {
    document.title = titleOf(state);
  }, [state]);
  const current = requests.filter((request) => request.run === (run?.run ?? request.run));
  return (
    <>
      <button type="button" class="skip" onClick={skipToRequests}>
        Skip to the requests
      </button>
      <Header state={state} />
      <main>
        <Verdict run={run} verdict={verdict} current={current} looks={looks} />
        {controls !== undefined && <Controls controls={controls} activity={activity} act={source.act} />}
        <div class="columns picture">
          {topology !== undefined && (
            <Topology
              topology={topology}
              overlay={overlays.findLast(({ outcome }) => outcome === 'accepted')}
              flow={{ run, verdict, current }}
              looks={looks}
              place={place}
              go={go}
            />
          )}
          <Proofs proofs={verdict?.proofs ?? []} />
        </div>
        <div class="columns detail" id="requests">
          <Requests requests={requests} looks={looks} place={place} go={go} traceUrl={state.traceUrl} />
          <RequestPanel source={source} state={state} looks={looks} number={place.request} />
        </div>
        <div class="columns record">
          <OverlayTimeline overlays={overlays} requests={requests} />
          <Evidence evidence={evidence} state={state} />
        </div>
      </main>
      <Announcer state={state} />
    </>
  );
}

/** What a tab in the background still tells. */
function titleOf({ documents: { verdict } }: PageState): string {
  if (verdict === undefined) return 'Switchyard';
  const split = Object.values(verdict.counts.client).join(' / ');
  return `${split} ${verdict.split ?? verdict.state} · Switchyard`;
}
