import { describe, expect, it } from 'vitest';
import { type ManifestIssue, parseManifests } from '../../src/index.ts';
import { networksOfBroken } from '../../src/manifests/attribution.ts';
import { only } from '../support/manifests.ts';

const issuesOf = (text: string): readonly ManifestIssue[] =>
  parseManifests([{ path: 'bad.yaml', text }]).issues;

const networks = (text: string): (string | undefined)[] => [
  ...new Set(
    issuesOf(text)
      .filter(({ code }) => code === 'yaml_syntax')
      .map(({ network }) => network),
  ),
];

describe('broken YAML', () => {
  it.each(['metadata:\n', '{metadata:,'])('many times %j costs no square of its length', (piece) => {
    // 2 MB; a search begun anew at each of them would run into the test's time-out.
    const text = `kind: GridNetwork\nfoo: "unclosed\n${piece.repeat(180_000)}`;
    expect(networksOfBroken(undefined, text)).toEqual([]);
    expect(networksOfBroken(undefined, `${text}\nname: demo\n`)).toEqual(['demo']);
  });

  it('names line and reason', () => {
    const issue = issuesOf('apiVersion: x\nkind: [a\nspec:\n  gridNetworkRef: demo\n')[0];
    expect(issue).toMatchObject({ code: 'yaml_syntax', file: 'bad.yaml', path: '', network: 'demo' });
    expect(issue?.line).toBeGreaterThanOrEqual(2);
  });

  it.each([
    ['block style', 'spec:\n  gridNetworkRef: demo\n  x: [\n', ['demo']],
    ['before the fault', 'gridNetworkRef: demo\na: b: c\n', ['demo']],
    ['after the fault', 'a: b: c\nspec:\n    gridNetworkRef: demo\n', ['demo']],
    ['double quotes', 'a: b: c\nspec:\n  gridNetworkRef: "de mo"\n', ['de mo']],
    ['single quotes', "a: b: c\nspec:\n  gridNetworkRef: 'demo'\n", ['demo']],
    ['flow style', 'a: b: c\nspec: { endpoint: x, gridNetworkRef: demo, models: [] }\n', ['demo']],
    ['JSON', '{"spec": {"gridNetworkRef": "demo", "models": [}', ['demo']],
    ['a comment behind it', 'a: b: c\nspec:\n  gridNetworkRef: demo # the demo\n', ['demo']],
    ['Windows line ends', 'a: b: c\r\nspec:\r\n  gridNetworkRef: demo\r\n', ['demo']],
    ['a comment only', 'a: b: c\n# gridNetworkRef: demo\n', [undefined]],
    ['nothing to be read', 'a: b: c\n', [undefined]],
    ['a network itself', 'kind: GridNetwork\nmetadata:\n  name: demo\nspec: [\n', ['demo']],
    [
      'a network, name after labels',
      'kind: GridNetwork\nmetadata:\n  labels:\n    a: b\n  name: demo\nspec: [\n',
      ['demo'],
    ],
    ['a network in flow style', 'kind: GridNetwork\nmetadata: { name: demo }\nspec: [\n', ['demo']],
    ['a site’s name is not a network', 'kind: GridSite\nmetadata:\n  name: s\nspec: [\n', [undefined]],
  ])('is attributed to a network: %s', (_, text, expected) => {
    expect(networks(text)).toEqual(expected);
  });

  it('names every network of the documents that an open quote swallowed', () => {
    const text = [
      'spec:\n  gridNetworkRef: one\n  endpoint: "http://x\n',
      'spec:\n  gridNetworkRef: two\n',
      'kind: GridNetwork\nmetadata:\n  name: three\n',
    ].join('---\n');
    expect(networks(text)).toEqual(['one', 'three', 'two']);
  });

  it('leaves the other documents of the file usable', () => {
    const site = (name: string): string =>
      `apiVersion: grid.praxis.fast/v1alpha1\nkind: GridSite\nmetadata: {name: ${name}}\nspec: {gridNetworkRef: demo}\n`;
    const text = `${site('a')}---\nspec:\n  gridNetworkRef: other\n  a: b: c\n---\n${site('b')}`;
    const { inventory } = parseManifests([{ path: 'mixed.yaml', text }]);
    expect(inventory.sites.map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
    expect(networks(text)).toEqual(['other']);
  });

  it.each([
    ['a duplicate key', 'spec: { gridNetworkRef: demo }\nkind: a\nkind: b\n'],
    ['an unknown alias', 'spec: { gridNetworkRef: demo, a: *nowhere }\n'],
    ['an unknown tag', 'spec: { gridNetworkRef: demo, a: !secret x }\n'],
    [
      'a key that would be dropped silently',
      'spec: { gridNetworkRef: demo, accessPolicy: { __proto__: x } }\n',
    ],
    ['a directive and nothing else', '%YAML\n'],
    ['an anchor of nothing, twice', '&a &b\n'],
    ['a tab as indentation', 'spec:\n\tgridNetworkRef: demo\n'],
  ])('%s is refused', (_, text) => {
    expect(issuesOf(text).map(({ code }) => code)).toContain('yaml_syntax');
  });

  it('aliases cannot multiply without bound', () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const refs = Array.from({ length: 10 }, () => (level === 0 ? 'x' : `*l${level - 1}`));
      return `l${level}: &l${level} [${refs.join(', ')}]`;
    });
    expect(only(issuesOf(`${levels.join('\n')}\ngridNetworkRef: demo\n`))).toMatchObject({
      code: 'yaml_syntax',
      network: 'demo',
    });
  });
});

describe('valid YAML with the reference in the wrong place', () => {
  const header = 'apiVersion: grid.praxis.fast/v1alpha1\n';

  it.each([
    ['a misspelt spec', `${header}kind: InferenceProvider\nsepc:\n  gridNetworkRef: demo\n`],
    ['top level', `${header}kind: InferenceProvider\ngridNetworkRef: demo\n`],
    ['a misspelt network kind', `${header}kind: GridNetwrok\nmetadata: { name: demo }\n`],
    ['another API version', 'apiVersion: v9\nkind: GridSite\nspec: { gridNetworkRef: demo }\n'],
    ['a list of manifests', '- spec:\n    gridNetworkRef: demo\n'],
  ])('%s is attributed all the same', (_, text) => {
    expect(issuesOf(text).length).toBeGreaterThan(0);
    expect(issuesOf(text).every(({ network }) => network === 'demo')).toBe(true);
  });
});
