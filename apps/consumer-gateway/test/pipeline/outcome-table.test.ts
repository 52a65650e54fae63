import { readFile } from 'node:fs/promises';
import { ATTEMPT_RESULTS, OUTCOME_TABLE } from '@switchyard/ai-route';
import { describe, expect, it } from 'vitest';
import { ATTEMPT_ENDINGS, outcomeOfStatus, resultOfStatus } from '../../src/pipeline/outcome-table.ts';

describe('the outcome table', () => {
  it.each([429, 500, 502, 503, 504, 529])('moves on after %i', (status) => {
    expect(OUTCOME_TABLE[resultOfStatus(status)].movesOn).toBe(true);
  });

  it.each([200, 204, 301, 400, 401, 403, 404, 408, 409, 413, 422, 501, 505])('stays with %i', (status) => {
    const result = resultOfStatus(status);
    expect(OUTCOME_TABLE[result]).toMatchObject({ movesOn: false, health: 'ok' });
    expect(ATTEMPT_ENDINGS[result].lease).toBe('success');
  });

  it('never moves on after an error made here, and never counts it against an endpoint or a candidate', () => {
    for (const result of ['local_error', 'client_gone'] as const) {
      expect(OUTCOME_TABLE[result].movesOn).toBe(false);
      expect(OUTCOME_TABLE[result].health).not.toBe('failed');
      expect(ATTEMPT_ENDINGS[result].lease).toBe('canceled');
    }
  });

  it('never moves on after a byte reached the client', () => {
    expect(OUTCOME_TABLE.broken.movesOn).toBe(false);
  });

  it('tells a request’s outcome by the status that went through', () => {
    expect([200, 304, 400, 429, 500].map(outcomeOfStatus)).toEqual([
      'success',
      'success',
      'client_error',
      'upstream_error',
      'upstream_error',
    ]);
  });

  it('stands in the README as it is here', async () => {
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
    const rows = readme.split('\n').filter((line) => /^\| `[a-z_0-9]+` +\| (moves on|final)/.test(line));
    const shown = rows.map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
    expect(shown.map((cells) => cells.slice(0, 7))).toEqual(
      ATTEMPT_RESULTS.map((result) => {
        const { movesOn, health, retryAfter, binding, rebinds } = OUTCOME_TABLE[result];
        const { lease, answer } = ATTEMPT_ENDINGS[result];
        return [
          `\`${result}\``,
          movesOn ? 'moves on' : 'final',
          retryAfter ? `${health}, or as \`Retry-After\` says` : health,
          binding,
          rebinds ? 'moves' : 'stays',
          lease,
          answer === undefined ? '-' : `${answer.status} \`${answer.code}\``,
        ];
      }),
    );
  });
});
