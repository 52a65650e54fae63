import { describe, expect, it } from 'vitest';
import { type ManifestIssue, parseManifests } from '../../src/index.ts';
import { demo, header, issuesOf } from '../support/bad-manifest.ts';
import { at, network, only, parse, provider, site, threeProviders, toFile } from '../support/manifests.ts';
import { anyNumber } from '../support/matchers.ts';

describe('errors between objects', () => {
  it('a name twice: neither is used, both places are named', () => {
    const { inventory, issues } = parseManifests([
      toFile('a.yaml', threeProviders()),
      toFile('b.yaml', [provider('provider-a', at('site-b'))]),
    ]);
    expect(inventory.providers.map(({ metadata }) => metadata.name)).toEqual(['provider-b', 'provider-c']);
    expect(issues.map(({ code, file, network: of, path }) => ({ code, file, of, path }))).toEqual([
      { code: 'duplicate_object', file: 'a.yaml', of: 'demo', path: 'metadata.name' },
      { code: 'duplicate_object', file: 'b.yaml', of: 'demo', path: 'metadata.name' },
    ]);
    expect(issues[0]?.message).toContain('b.yaml:1');
  });

  it('the same name with another kind is no duplicate', () => {
    expect(parse(network('demo'), site('demo'), provider('demo')).issues).toEqual([]);
  });

  it('a reference to a network that does not exist', () => {
    const { issues } = parse(network('demo'), provider('p', { gridNetworkRef: 'dmo' }));
    expect(only(issues)).toMatchObject({
      code: 'unknown_network',
      path: 'spec.gridNetworkRef',
      network: 'dmo',
      message: 'there is no GridNetwork "dmo". Did you mean "demo"?',
    });
  });

  it('a network whose own manifest is broken is not called unknown as well', () => {
    const { issues } = parse(network('demo', { routingPolicy: 'x' }), provider('p'), site('s'));
    expect(issues.map(({ code }) => code)).toEqual(['invalid_field']);
  });
});

describe('documents that are no manifests', () => {
  it.each<[string, string, ManifestIssue['code'], string]>([
    ['text', 'hello\n', 'not_a_manifest', ''],
    ['a list', '- a\n', 'not_a_manifest', ''],
    ['no apiVersion', 'kind: GridSite\n', 'missing_field', 'apiVersion'],
    ['another apiVersion', 'apiVersion: v1\nkind: ConfigMap\n', 'unsupported_api_version', 'apiVersion'],
    ['another version', demo.replace('v1alpha1', 'v1'), 'unsupported_api_version', 'apiVersion'],
    ['no kind', 'apiVersion: grid.praxis.fast/v1alpha1\n', 'missing_field', 'kind'],
    ['another kind', header('AgentToolProvider', 'x'), 'unsupported_kind', 'kind'],
    ['a misspelt kind', header('InferenceProvder', 'x'), 'unsupported_kind', 'kind'],
    ['a number as kind', header('3', 'x'), 'unsupported_kind', 'kind'],
  ])('%s', (_, text, code, path) => {
    expect(only(issuesOf(text))).toMatchObject({ code, path, file: 'bad.yaml', line: anyNumber() });
  });

  it('hints at the kind that was meant', () => {
    expect(only(issuesOf(header('InferenceProvder', 'x'))).message).toContain('"InferenceProvider"');
  });

  it('a name defined many times names a few of the places, each time', () => {
    const text = Array.from(
      { length: 300 },
      () => `${header('GridSite', 'twin')}spec: { gridNetworkRef: demo }\n`,
    );
    const issues = issuesOf(text.join('---\n'));
    expect(issues).toHaveLength(300);
    const [first] = issues;
    expect(first?.message).toMatch(
      /^GridSite "twin" is also defined at bad.yaml:\d+(, bad.yaml:\d+){4} and 294 more; keep one$/,
    );
  });
});
