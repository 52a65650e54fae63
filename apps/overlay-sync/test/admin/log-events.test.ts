import { createLogger } from '@switchyard/gateway-kit';
import { expect, it } from 'vitest';
import { createEventLog } from '../../src/admin/log-events.ts';
import type { SyncEvent } from '../../src/sync/events.ts';

const down: SyncEvent = { type: 'unavailable', reason: 'api_unavailable', message: 'connection refused' };
const gone: SyncEvent = { type: 'absent', reason: 'deleted', message: 'does not exist' };
const bad: SyncEvent = { type: 'rejected', code: 'malformed_json', issues: [], size: 1 };

function logged(events: readonly SyncEvent[]): unknown[] {
  const lines: string[] = [];
  const write = (text: string): void => void lines.push(text);
  const observe = createEventLog(createLogger({ name: 'test', env: {}, destination: { write } }));
  for (const event of events) observe(event);
  return lines.map((line) => (JSON.parse(line) as { reason?: unknown }).reason);
}

it('a trouble that goes on is said once', () => {
  expect(logged([down, down, down])).toEqual(['api_unavailable']);
});

it.each([gone, bad])('an API that answered with $type and fails again is a new trouble', (answer) => {
  expect(logged([down, answer, down])).toEqual([
    'api_unavailable',
    answer.type === 'rejected' ? answer.code : 'deleted',
    'api_unavailable',
  ]);
});
