import { describe, expect, it } from 'vitest';
import type { ManifestIssue } from '../../src/index.ts';
import { issuesOf, providerYaml } from '../support/bad-manifest.ts';
import { only } from '../support/manifests.ts';
import { containing } from '../support/matchers.ts';

/** Fields of an issue, or matchers for them. */
type Expected = Partial<Record<keyof ManifestIssue, unknown>>;

describe('field errors name file, line and path', () => {
  it.each<[string, string, Expected]>([
    [
      'misspelt field',
      providerYaml('  sitSelector: {}\n'),
      {
        code: 'unknown_field',
        line: 8,
        path: 'spec.sitSelector',
        message: containing('"siteSelector"'),
      },
    ],
    [
      'misspelt field inside a list',
      providerYaml('', '[{ name: m }, { name: n, capabilites: [] }]'),
      {
        code: 'unknown_field',
        line: 7,
        path: 'spec.models[1].capabilites',
        message: containing('"capabilities"'),
      },
    ],
    [
      'missing field',
      providerYaml().replace('  endpoint: http://127.0.0.1:1\n', ''),
      { code: 'missing_field', line: 4, path: 'spec.endpoint' },
    ],
    [
      'blank model name',
      providerYaml('', '\n    - name: " "'),
      {
        code: 'invalid_field',
        line: 8,
        path: 'spec.models[0].name',
        message: containing('blank'),
      },
    ],
    ['no models', providerYaml('', '[]'), { code: 'invalid_field', line: 7, path: 'spec.models' }],
    [
      'number for a label',
      providerYaml('  siteSelector:\n    matchLabels:\n      zone: 1\n'),
      {
        code: 'invalid_field',
        line: 10,
        path: 'spec.siteSelector.matchLabels.zone',
        message: 'expected string; found 1. Put it in quotes.',
      },
    ],
    [
      'half-written access policy: not "everybody"',
      providerYaml('  accessPolicy:\n    siteSelector:\n      matchLabels:\n'),
      { code: 'invalid_field', line: 10, path: 'spec.accessPolicy.siteSelector.matchLabels' },
    ],
    [
      'endpoint without scheme',
      providerYaml().replace('http://127.0.0.1:1', 'localhost:1'),
      { code: 'invalid_field', line: 6, path: 'spec.endpoint', message: containing('http://') },
    ],
    [
      'weight out of range',
      providerYaml('  capacityWeight: 1001\n'),
      {
        code: 'invalid_field',
        line: 8,
        path: 'spec.capacityWeight',
        message: containing('1000'),
      },
    ],
    [
      'bad duration',
      providerYaml('  healthCheck:\n    timeout: 2m\n'),
      {
        code: 'invalid_field',
        line: 9,
        path: 'spec.healthCheck.timeout',
        message: containing('500ms'),
      },
    ],
    [
      'unknown auth strategy',
      providerYaml('  auth: { strategy: bearer }\n'),
      {
        code: 'invalid_field',
        line: 8,
        path: 'spec.auth.strategy',
        message: containing('bearer_token'),
      },
    ],
    [
      'generation 0 (B16)',
      providerYaml().replace('{ name: p }', '{ name: p, generation: 0 }'),
      { code: 'invalid_field', line: 3, path: 'metadata.generation' },
    ],
    [
      'no metadata',
      providerYaml().replace('metadata: { name: p }\n', ''),
      { code: 'missing_field', line: 1, path: 'metadata' },
    ],
    [
      'a label key with dots',
      providerYaml().replace('{ name: p }', '{ name: p, labels: { a.b/c: true } }'),
      { code: 'invalid_field', line: 3, path: 'metadata.labels["a.b/c"]' },
    ],
  ])('%s', (_, text, expected) => {
    expect(only(issuesOf(text))).toEqual(
      expect.objectContaining({ file: 'bad.yaml', network: 'demo', ...expected }),
    );
  });

  it('reports everything at once, sorted by place', () => {
    const issues = issuesOf(providerYaml('  a: 1\n  b: 2\n  capacityWeight: 0\n'));
    expect(issues.map(({ path }) => path)).toEqual(['spec.a', 'spec.b', 'spec.capacityWeight']);
  });

  it('finds the line of a field behind an anchor', () => {
    const text = providerYaml('  tls: &t\n    a: 1\n  siteSelector: { matchLabels: *t }\n');
    expect(only(issuesOf(text))).toMatchObject({ line: 9, path: 'spec.siteSelector.matchLabels.a' });
  });

  it('never repeats a value that may be a secret', () => {
    const token = 'sk-very-secret';
    const texts = [
      providerYaml(`  auth: { strategy: ${token} }\n`),
      providerYaml(`  auth: ${token}\n`),
      providerYaml(`  auth: { strategy: bearer_token, token: ${token} }\n`),
      providerYaml().replace('127.0.0.1:1', `user:${token}@127.0.0.1:1`),
    ];
    for (const text of texts) {
      const issue = only(issuesOf(text));
      expect(issue.code).toMatch(/invalid_field|unknown_field/);
      expect(JSON.stringify(issue)).not.toContain(token);
    }
  });
});
