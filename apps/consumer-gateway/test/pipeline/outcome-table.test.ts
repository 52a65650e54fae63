import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
  ATTEMPT_RESULTS,
  OUTCOME_TABLE,
  outcomeOfStatus,
  resultOfStatus,
} from '../../src/pipeline/outcome-table.ts';

describe('the outcome table', () => {
  it.each([429, 500, 502, 503, 504, 529])('moves on after %i', (status) => {
    expect(OUTCOME_TABLE[resultOfStatus(status)].movesOn).toBe(true);
  });

  it.each([200, 204, 301, 400, 401, 403, 404, 408, 409, 413, 422, 501, 505])('stays with %i', (status) => {
    expect(OUTCOME_TABLE[resultOfStatus(status)]).toMatchObject({ movesOn: false, lease: 'success' });
  });

  it('never moves on after an error made here, and never counts it against an endpoint', () => {
    expect(OUTCOME_TABLE.local_error).toMatchObject({ movesOn: false, lease: 'canceled' });
    expect(OUTCOME_TABLE.client_gone).toMatchObject({ movesOn: false, lease: 'canceled' });
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
    expect(shown.map(([name, next, lease, binding, answer]) => [name, next, lease, binding, answer])).toEqual(
      ATTEMPT_RESULTS.map((result) => {
        const rule = OUTCOME_TABLE[result];
        return [
          `\`${result}\``,
          rule.movesOn ? 'moves on' : 'final',
          rule.lease,
          rule.binding,
          rule.answer === undefined ? '-' : `${rule.answer.status} \`${rule.answer.code}\``,
        ];
      }),
    );
  });
});
