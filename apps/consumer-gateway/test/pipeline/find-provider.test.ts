import { EventEmitter, once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRouter, type RouteResult, type Router } from '@switchyard/ai-route';
import type { Asked } from '@switchyard/gateway-kit';
import { tempDir } from '@switchyard/test-kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { findProvider } from '../../src/pipeline/find-provider.ts';

const tool = { kind: 'mcp_tool', site: 's', selectionGroup: 0 } as const;
const model = { kind: 'inference_model', site: 's', selectionGroup: 0 } as const;

let router: Router;

beforeEach(async () => {
  router = await createRouter({
    localSite: 's',
    selectionPolicy: 'round_robin',
    candidates: [
      { ...model, name: 'm', cluster: 'a' },
      { ...model, name: 'm', cluster: 'b' },
      { ...tool, name: 'closed', cluster: 'a', admissionState: 'existing_only' },
      { ...tool, name: 'open', cluster: 'a' },
      { ...tool, name: 'open', cluster: 'b' },
      { ...tool, name: 'only-b', cluster: 'b' },
    ],
  });
});

function find(asked: Partial<Asked>): RouteResult {
  return findProvider(router, {
    headers: [],
    body: Buffer.alloc(0),
    sessionKey: undefined,
    asked: {
      kind: 'inference_model',
      name: undefined,
      stateKey: undefined,
      streamed: false,
      openEnded: false,
      repeatable: true,
      rpcId: undefined,
      ...asked,
    },
  });
}

/** Name and cluster that were found, or why there are none. */
function found(asked: Partial<Asked>): string {
  const result = find(asked);
  if (!result.ok) return result.reason;
  const { candidate } = result.selection.decision;
  result.selection.end({ result: 'answered' });
  return `${candidate.name} at ${candidate.cluster}`;
}

function hold(stateKey: string, asked: Partial<Asked>): string {
  const result = find(asked);
  if (!result.ok) throw new Error(result.reason);
  result.selection.learn(stateKey);
  result.selection.end({ result: 'answered' });
  return result.selection.decision.candidate.cluster;
}

describe('the provider of a request', () => {
  it('serves the model or tool that is named, in turn', () => {
    expect([found({ name: 'm' }), found({ name: 'm' })].sort()).toEqual(['m at a', 'm at b']);
    expect(found({ kind: 'mcp_tool', name: 'm' })).toBe('unknown_capability');
  });

  it('holds the state that is named, whatever model it was made with and whatever is asked now', () => {
    const cluster = hold('response:1', { name: 'm' });
    expect(found({ stateKey: 'response:1' })).toBe(`m at ${cluster}`);
    const owner = hold('mcp_session:1', { kind: 'mcp_tool', name: 'open' });
    for (let n = 0; n < 3; n++) {
      expect(found({ kind: 'mcp_tool', stateKey: 'mcp_session:1' })).toBe(`open at ${owner}`);
      expect(found({ kind: 'mcp_tool', name: 'open', stateKey: 'mcp_session:1' })).toBe(`open at ${owner}`);
    }
  });

  it('still holds an MCP session when the tool that it began with is gone, but others are not', async () => {
    const begun = { kind: 'mcp_tool', stateKey: 'mcp_session:1' } as const;
    await using dir = await tempDir();
    const overlayFile = join(dir.path, 'overlay.json');
    const publish = (names: readonly string[]): Promise<void> =>
      writeFile(
        overlayFile,
        JSON.stringify({
          network: 'n',
          local_site: 's',
          candidates: names.flatMap((name) => ({ kind: 'mcp_tool', name, site: 's', cluster: 'a' })),
        }),
      );
    const accepted = new EventEmitter();
    await publish(['search', 'fetch']);
    router = await createRouter({
      overlayFile,
      onEvent: ({ type }) => void accepted.emit(type),
    });
    hold('mcp_session:1', { kind: 'mcp_tool' });
    expect(found(begun)).toBe('search at a');
    const swapped = once(accepted, 'accepted');
    await publish(['fetch']);
    await swapped;
    expect(found(begun)).toBe('fetch at a');
    await router.close();
  });

  it('is nobody when the holder does not serve what is asked', () => {
    hold('mcp_session:1', { kind: 'mcp_tool', name: 'open' });
    hold('mcp_session:2', { kind: 'mcp_tool', name: 'open' });
    const answers = ['mcp_session:1', 'mcp_session:2'].map((stateKey) =>
      found({ kind: 'mcp_tool', name: 'only-b', stateKey }),
    );
    expect(answers.sort()).toEqual(['only-b at b', 'state_unavailable']);
  });

  it('is selected as usual when the state is known to nobody', () => {
    expect(found({ name: 'm', stateKey: 'response:gone' })).toMatch(/^m at/);
    expect(found({ kind: 'mcp_tool', stateKey: 'mcp_session:gone' })).toMatch(/^open at/);
    expect(found({ stateKey: 'response:gone' })).toBe('unknown_capability');
  });

  it('of MCP without a tool is that of the first tool which somebody serves, in turn', () => {
    const begun = [found({ kind: 'mcp_tool' }), found({ kind: 'mcp_tool' })];
    expect(begun.sort()).toEqual(['open at a', 'open at b']);
  });

  it('of MCP is nobody where no tool is, or none is open', async () => {
    router = await createRouter({ localSite: 's', candidates: [{ ...model, name: 'm', cluster: 'a' }] });
    expect(found({ kind: 'mcp_tool' })).toBe('unknown_capability');
    const closed = { ...tool, name: 'closed', cluster: 'a', admissionState: 'existing_only' } as const;
    router = await createRouter({ localSite: 's', candidates: [closed] });
    expect(found({ kind: 'mcp_tool' })).toBe('no_viable_candidate');
  });
});
