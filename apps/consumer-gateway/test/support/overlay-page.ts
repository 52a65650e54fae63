import { waitUntil } from '@switchyard/test-kit';
import type { OverlayView } from '../../src/admin/overlay-view.ts';
import { ask, getJson } from './client.ts';
import type { TestGateway } from './gateway.ts';

/** What `/admin/overlay` shows now. */
export async function overlayPage(gateway: TestGateway): Promise<OverlayView> {
  return (await getJson<OverlayView>(gateway.app.port('admin'), '/admin/overlay')).json;
}

/** Waits until `revision` serves; the page then. */
export function serving(gateway: TestGateway, revision: string): Promise<OverlayView> {
  return waitUntil(
    async () => {
      const page = await overlayPage(gateway);
      return page.serving?.revision === revision && page;
    },
    { what: `revision ${revision.slice(0, 12)} to serve` },
  );
}

/** Replaces the overlay file and waits until it serves; the page then. */
export async function publishAndServe(
  gateway: TestGateway,
  next: { readonly text: string; readonly revision: string },
): Promise<OverlayView> {
  await gateway.publish(next.text);
  return serving(gateway, next.revision);
}

/** Waits until the overlay file was refused for this reason; the page then. */
export function refused(gateway: TestGateway, code: string): Promise<OverlayView> {
  return waitUntil(
    async () => {
      const page = await overlayPage(gateway);
      return page.lastRejected?.code === code && page;
    },
    { what: `the overlay to be refused with ${code}` },
  );
}

/** What `/readyz` answers now. */
export async function readyz(
  gateway: TestGateway,
): Promise<{ status: number; json: { ready: boolean; degraded: boolean; reasons: string[] } }> {
  return getJson(gateway.app.port('admin'), '/readyz');
}

/** The value of a metric without labels, or with exactly these; undefined when it has no such sample. */
export async function metric(gateway: TestGateway, sample: string): Promise<number | undefined> {
  const { text } = await ask(gateway.app.port('admin'), { method: 'GET', path: '/metrics' });
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length + 1));
}

/** Log lines of one kind, oldest first. */
export function logged(gateway: TestGateway, event: string): Record<string, unknown>[] {
  return gateway.app.stderr
    .filter((line) => line.includes(`"${event}"`))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
