import { describe, expect, it } from 'vitest';
import { buildOverlay, type Overlay, parseOverlay } from '../../src/index.ts';
import { sampleCandidate, sampleInput, sampleText } from '../support/samples.ts';

function parsed(text: string): Overlay {
  const result = parseOverlay(Buffer.from(text));
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.overlay;
}

function messages(text: string | Buffer): string {
  const result = parseOverlay(Buffer.from(text));
  return result.ok ? '' : result.issues.map((issue) => `${issue.path}: ${issue.message}`).join('\n');
}

describe('an accepted envelope', () => {
  it('is normalised: our names, defaults applied, nothing optional invented', () => {
    expect(parsed(sampleText({ generatedAt: 'just now' }))).toEqual({
      format: 'envelope',
      revision: buildOverlay(sampleInput()).revision,
      network: 'atlas',
      localSite: 'harbor',
      selectionPolicy: 'round_robin',
      scope: sampleInput().scope,
      provenance: sampleInput().provenance,
      generatedAt: 'just now',
      candidates: ['harbor', 'orchard', 'quarry'].map((site) => ({
        kind: 'inference_model',
        name: 'tinker-8b',
        site,
        cluster: `pool-${site}`,
        fresh: true,
        stableId: `inference_model/tinker-8b/${site}/pool-${site}`,
        admissionState: 'new_and_existing',
        selectionGroup: 0,
        raw: { ...sampleCandidate(site), selection_group: 0 },
      })),
    });
  });

  it('carries every optional member', () => {
    const credential = {
      strategy: 'bearer_token',
      secretRef: { name: 'n', namespace: 'm', key: 'k' },
    } as const;
    const full = sampleCandidate('harbor', {
      fresh: false,
      stable_id: '5eed',
      rank: 4,
      score: -0.5,
      score_breakdown: { queue: -0.5 },
      admission_state: 'excluded',
      selection_tier: 'same_zone',
      selection_group: 0,
      traffic_weight: 250,
      credential,
      power: { source: 'tidal' },
    });
    const text = sampleText({ candidates: [full], selectionPolicy: 'weighted_random', dialect: 'praxis' });
    expect(parsed(text).candidates[0]).toEqual({
      kind: 'inference_model',
      name: 'tinker-8b',
      site: 'harbor',
      cluster: 'pool-harbor',
      fresh: false,
      stableId: '5eed',
      rank: 4,
      score: -0.5,
      admissionState: 'excluded',
      selectionTier: 'same_zone',
      selectionGroup: 0,
      trafficWeight: 250,
      credential,
      raw: { ...full, admission_state: 'none' },
    });
  });

  it('is frozen as far as it is ours', () => {
    const overlay = parsed(sampleText());
    expect(Object.isFrozen(overlay)).toBe(true);
    expect(Object.isFrozen(overlay.candidates)).toBe(true);
    for (const part of [
      overlay.scope,
      overlay.provenance,
      overlay.candidates[0],
      overlay.candidates[0]?.raw,
    ]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it('keeps an own member named __proto__ as data and pollutes nothing', () => {
    const text = JSON.stringify({
      local_site: 'a',
      candidates: [
        JSON.parse(
          '{"kind":"mcp_tool","name":"t","site":"a","cluster":"c","__proto__":{"admission_state":"excluded","polluted":1}}',
        ),
      ],
    });
    const [candidate] = parsed(text).candidates;
    expect(candidate?.admissionState).toBe('new_and_existing');
    expect(Object.hasOwn(candidate?.raw ?? {}, '__proto__')).toBe(true);
    expect(Object.getPrototypeOf(candidate?.raw)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
  });
});

describe('a refusal', () => {
  it('says what was found, where, and what was expected', () => {
    const text = sampleText()
      .replace('"inference_model"', '"agent"')
      .replace('"selection_group": 0', '"selection_group": "0"');
    expect(messages(text).split('\n').slice(0, 2)).toEqual([
      'overlay.candidates[0].kind: found the string "agent"; expected inference_model or mcp_tool.',
      'overlay.candidates[0].selection_group: found the string "0"; expected an integer from 0 to 4294967295.',
    ]);
  });

  it('never quotes what stands inside a credential', () => {
    const base = sampleText({ candidates: [sampleCandidate('harbor')], selectionPolicy: undefined });
    const slots = [
      '"hunter2"',
      '{"strategy":"hunter2","secretRef":{"name":"n","namespace":"m","key":"k"}}',
      '{"strategy":"bearer_token","token":"hunter2","secretRef":{"name":["hunter2"],"namespace":"m","key":"k"}}',
      '{"strategy":"bearer_token","secretRef":"hunter2"}',
      '["hunter2"]',
    ];
    for (const slot of slots) {
      const text = base.replace('"site": "harbor",', `"site": "harbor", "credential": ${slot},`);
      expect(messages(text)).toContain('overlay.candidates[0].credential');
      expect(messages(text)).not.toContain('hunter2');
    }
  });

  it('never quotes a text that is not JSON', () => {
    expect(messages('{"token": hunter2}')).toMatch(/^: the text is not JSON/);
    expect(messages('{"token": hunter2}')).not.toContain('hunter2');
  });

  it.each([
    ['', 'empty'],
    ['{"a":[1', 'ends inside 2 open objects or arrays'],
    ['{"a":"b', 'ends inside a string'],
    ['{}\0\0', 'NUL bytes'],
    ['\ufeff{}', 'byte order mark'],
    ['{]}', 'not JSON'],
  ])('tells the ways to break off apart: %j', (text, words) => {
    expect(messages(text)).toContain(words);
  });

  it('cuts long texts in its messages', () => {
    const text = sampleText().replace('"inference_model"', JSON.stringify('x'.repeat(10_000)));
    expect(messages(text).length).toBeLessThan(500);
  });

  it('is bounded, however much is wrong', () => {
    const repeated = `{${'"a":1,'.repeat(5000)}"a":1}`;
    const surrogates = `{"local_site":"a","x":[${'"\\ud800",'.repeat(5000)}1]}`;
    for (const text of [repeated, surrogates]) {
      const result = parseOverlay(Buffer.from(text));
      expect(result.ok ? 0 : result.issues.length).toBe(1000);
    }
  });
});

describe('options', () => {
  it.each([
    { maxBytes: 0 },
    { maxCandidates: -1 },
    { maxDepth: 1.5 },
    { maxDepth: Number.NaN },
    { maxDepth: 1001 },
  ])('refuses %j, a mistake of the caller', (options) => {
    expect(() => parseOverlay(Buffer.from('{}'), options)).toThrow(RangeError);
  });

  it('accepts the deepest nesting that may be configured', () => {
    const nested = '['.repeat(996) + ']'.repeat(996);
    const text = `{"local_site":"a","candidates":[{"kind":"mcp_tool","name":"t","site":"a","cluster":"c","x":${nested}}]}`;
    expect(parseOverlay(Buffer.from(text), { maxDepth: 1000 }).ok).toBe(true);
  });

  it('takes any view of bytes, not only whole buffers', () => {
    const text = Buffer.from(`##${sampleText()}##`);
    const view = new Uint8Array(text.buffer, text.byteOffset + 2, text.length - 4);
    expect(parseOverlay(view).ok).toBe(true);
  });
});
