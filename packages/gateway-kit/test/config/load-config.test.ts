// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the config files under test hold ${ENV} references.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ConfigError, danglingReference, listenSchema, loadConfig } from '../../src/index.ts';

const schema = z
  .strictObject({
    listen: listenSchema,
    mode: z.enum(['replay', 'record']).default('replay'),
    label: z.string().min(1).optional(),
    url: z.url().optional(),
    ratio: z.number().min(0).max(1).optional(),
    tags: z.array(z.string()).min(1).optional(),
    apiKey: z.string().optional(),
    clusters: z.array(z.strictObject({ name: z.string(), weight: z.int().min(0).optional() })).default([]),
    source: z
      .discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('file'), path: z.string() }),
        z.strictObject({ kind: z.literal('inline'), items: z.array(z.string()) }),
      ])
      .optional(),
    size: z.union([z.number(), z.strictObject({ bytes: z.number() })]).optional(),
    endpoint: z.string({ error: 'expected http://host:port' }).optional(),
    labels: z.record(z.string().regex(/^[a-z]+$/), z.string()).optional(),
    route: z.string().optional(),
  })
  .superRefine((config, ctx) => {
    if (config.route === undefined) return;
    const known = config.clusters.map((cluster) => cluster.name);
    danglingReference(ctx, { path: ['route'], what: 'cluster', name: config.route, known });
  });

/** Loads `text`; returns the config, or the error's lines with the folder cut away. */
async function load(text: string | Uint8Array, env: NodeJS.ProcessEnv = {}): Promise<unknown> {
  await using dir = await tempDir();
  const file = join(dir.path, 'app.yaml');
  await writeFile(file, text);
  return attempt(file, env, dir.path);
}

function attempt(file: string, env: NodeJS.ProcessEnv, folder: string): unknown {
  try {
    return loadConfig(file, { schema, env });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.issues.length).toBeGreaterThan(0);
    expect(error.file).toBe(file);
    return error.message.replaceAll(`${folder}/`, '').split('\n');
  }
}

describe('a good file', () => {
  it('is typed, with defaults', async () => {
    expect(await load('listen: { port: 80 }')).toEqual({
      listen: { host: '127.0.0.1', port: 80 },
      mode: 'replay',
      clusters: [],
    });
  });

  it('may be JSON', async () => {
    const json = JSON.stringify({ listen: { port: 0 }, label: 'a: b # c' }, null, '\t');
    expect(await load(json)).toMatchObject({ listen: { port: 0 }, label: 'a: b # c' });
  });

  it('may use anchors', async () => {
    const text = 'listen: { port: 1 }\nclusters: [&a { name: x }, *a]\n';
    expect(await load(text)).toMatchObject({ clusters: [{ name: 'x' }, { name: 'x' }] });
  });
});

describe('environment references', () => {
  it('are expanded before typing, in block and flow style', async () => {
    const text = 'listen: { port: ${PORT}, host: ${HOST:-localhost} }\nratio: ${RATIO:-0.5}\n';
    expect(await load(text, { PORT: '8080' })).toMatchObject({
      listen: { port: 8080, host: 'localhost' },
      ratio: 0.5,
    });
  });

  it('stay text in quotes, and join with what stands around them', async () => {
    const text = 'listen: { port: 1 }\nlabel: "${PORT}"\nurl: http://${HOST}:${PORT}/v1\n';
    expect(await load(text, { PORT: '8080', HOST: 'h' })).toMatchObject({
      label: '8080',
      url: 'http://h:8080/v1',
    });
  });

  it('use the default for an empty variable, and $${ for a literal ${', async () => {
    const text = 'listen: { port: ${PORT:-7} }\nlabel: $${HOME}\n';
    expect(await load(text, { PORT: '' })).toMatchObject({ listen: { port: 7 }, label: '${HOME}' });
  });

  it('are ignored in comments', async () => {
    expect(await load('# ${UNSET}\nlisten: { port: 1 } # ${ALSO}\n')).toMatchObject({ listen: { port: 1 } });
  });

  it('that cannot be expanded are issues at their own place', async () => {
    const text = 'listen:\n  port: ${PORT}\nlabel: "a ${B} ${1C}"\nurl: x${\n';
    expect(await load(text)).toEqual([
      'app.yaml: 4 problems',
      '  app.yaml:2:9: listen.port: environment variable PORT is not set; set it, or give a default: ${PORT:-value}',
      '  app.yaml:3:11: label: environment variable B is not set; set it, or give a default: ${B:-value}',
      '  app.yaml:3:16: label: found ${1C}, expected ${NAME} or ${NAME:-default}; write $${ for a literal "${"',
      '  app.yaml:4:6: url: found "${" without a name and "}", expected ${NAME} or ${NAME:-default}; write $${ for a literal "${"',
    ]);
  });

  it('do not nest', async () => {
    expect(await load('listen: { port: 1 }\nlabel: ${A:-${B}}\n', { A: '' })).toEqual([
      'app.yaml: 1 problem',
      '  app.yaml:2:8: label: found ${A:-${B}, expected ${NAME} or ${NAME:-default}; write $${ for a literal "${"',
    ]);
  });

  it('never show the value they brought, through an alias neither', async () => {
    const text = 'label: &secret ${KEY}\nlisten: { port: *secret }\n';
    expect(await load(text, { KEY: 'hunter2' })).toEqual([
      'app.yaml: 1 problem',
      '  app.yaml:2:17: listen.port: expected a number, found a string from ${KEY}',
    ]);
  });

  it('never show the value they brought', async () => {
    const text = 'listen: { port: ${PORT} }\nmode: ${MODE}\nlabel: ${DIGITS}\n';
    const shown = await load(text, { PORT: 'hunter2', MODE: 'hunter2', DIGITS: '123456' });
    expect(shown).toEqual([
      'app.yaml: 3 problems',
      '  app.yaml:1:17: listen.port: expected a number, found a string from ${PORT}',
      '  app.yaml:2:7: mode: expected one of "replay", "record", found a string from ${MODE}',
      '  app.yaml:3:8: label: expected a string, found a number from ${DIGITS}; put it in quotes: "${DIGITS}"',
    ]);
  });
});

describe('a bad file: each kind of issue', () => {
  const cases: [name: string, text: string, lines: string[]][] = [
    ['unknown key', 'lisen: 1\nlisten: { port: 1 }', ['1:1: lisen: unknown key, did you mean "listen"?']],
    [
      'unknown key, nothing near',
      'listen: { port: 1 }\nclusters:\n  - name: a\n    zzzzzz: 1',
      ['4:5: clusters[0].zzzzzz: unknown key; known here: name, weight'],
    ],
    ['wrong type', 'listen: { port: eighty }', ['1:17: listen.port: expected a number, found "eighty"']],
    [
      'not whole',
      'listen: { port: 1.5 }',
      ['1:17: listen.port: expected a whole number, found the number 1.5'],
    ],
    [
      'too big',
      'listen: { port: 70000 }',
      ['1:17: listen.port: expected at most 65535, found the number 70000'],
    ],
    ['too small', 'listen: { port: -1 }', ['1:17: listen.port: expected at least 0, found the number -1']],
    ['missing key', 'listen: { host: a }', ['1:1: listen.port: missing, expected a number']],
    ['missing mapping', 'mode: record', ['1:1: listen: missing, expected a mapping']],
    ['a list for a mapping', 'listen: [1, 2]', ['1:9: listen: expected a mapping, found a list of 2 items']],
    [
      'a mapping for text',
      'listen: { port: 1 }\nlabel: { a: 1 }',
      ['2:8: label: expected a string, found a mapping'],
    ],
    ['null', 'listen: { port: 1 }\nlabel:', ['2:7: label: expected a string, found nothing (null)']],
    [
      'a number for text',
      'listen: { port: 1 }\nlabel: 12',
      ['2:8: label: expected a string, found the number 12; put it in quotes: "12"'],
    ],
    ['empty text', 'listen: { port: 1 }\nlabel: ""', ['2:8: label: expected at least 1 character, found ""']],
    [
      'too few items',
      'listen: { port: 1 }\ntags: []',
      ['2:7: tags: expected at least 1 item, found a list of 0 items'],
    ],
    [
      'enum',
      'listen: { port: 1 }\nmode: replai',
      ['2:7: mode: expected one of "replay", "record", found "replai", did you mean "replay"?'],
    ],
    ['URL', 'listen: { port: 1 }\nurl: nope', ['2:6: url: expected a URL, found "nope"']],
    [
      'a secret is not shown',
      'listen: { port: 1 }\napiKey: 12345',
      ['2:9: apiKey: expected a string, found a number (not shown); put it in quotes'],
    ],
    [
      'discriminator',
      'listen: { port: 1 }\nsource: { kind: fil }',
      ['2:17: source.kind: expected one of "file", "inline", found "fil", did you mean "file"?'],
    ],
    [
      'union, no alternative fits',
      'listen: { port: 1 }\nsize: big',
      ['2:7: size: expected a number or a mapping, found "big"'],
    ],
    [
      'union, one alternative nearly fits',
      'listen: { port: 1 }\nsize: { byte: 1 }',
      ['2:1: size.bytes: missing, expected a number', '2:9: size.byte: unknown key, did you mean "bytes"?'],
    ],
    [
      "the schema author's own words",
      'listen: { port: 1 }\nendpoint: 1',
      ['2:11: endpoint: expected http://host:port, found the number 1'],
    ],
    [
      'a bad key',
      'listen: { port: 1 }\nlabels: { A: b }',
      ['2:11: labels.A: this key is not usable: Invalid string: must match pattern /^[a-z]+$/'],
    ],
    [
      'dangling reference, near',
      'listen: { port: 1 }\nclusters: [{ name: backend }]\nroute: bakend',
      ['3:8: route: no such cluster "bakend", did you mean "backend"?'],
    ],
    [
      'dangling reference, nothing near',
      'listen: { port: 1 }\nclusters: [{ name: a }, { name: b }]\nroute: other',
      ['3:8: route: no such cluster "other"; defined: a, b'],
    ],
    [
      'dangling reference, none defined',
      'listen: { port: 1 }\nroute: other',
      ['2:8: route: no such cluster "other"; no cluster is defined'],
    ],
    [
      'duplicate key',
      'listen: { port: 1 }\nmode: replay\nmode: record',
      ['3:1: this key stands twice in the same mapping; keep one'],
    ],
    [
      'second document',
      'listen: { port: 1 }\n---\nmode: replay',
      ['2:1: found a second YAML document; a config file holds one'],
    ],
    ['not a mapping', '- a', ['1:1: expected a mapping, found a list of 1 item']],
    [
      'empty file',
      '',
      [
        '1:1: the file is empty, expected a mapping with: listen, mode, label, url, ratio, tags, apiKey, clusters, source, size, endpoint, labels, route',
      ],
    ],
    [
      'only a comment',
      '# nothing',
      [
        '1:1: the file is empty, expected a mapping with: listen, mode, label, url, ratio, tags, apiKey, clusters, source, size, endpoint, labels, route',
      ],
    ],
    [
      'a reserved character',
      'listen: { port: 1 }\nlabel: \uE000',
      [
        '2:8: found a private-use character (U+E000 to U+E002), which a config file cannot hold; use an escape such as "\\uE000"',
      ],
    ],
  ];
  it.each(cases)('%s', async (_name, text, lines) => {
    const count = lines.length === 1 ? '1 problem' : `${lines.length} problems`;
    expect(await load(text)).toEqual([`app.yaml: ${count}`, ...lines.map((line) => `  app.yaml:${line}`)]);
  });

  it('YAML that does not parse is shown with its place and the reference as written', async () => {
    const lines = await load('listen: { port: ${PORT}\nmode: "x');
    expect(lines).toEqual(
      expect.arrayContaining([expect.stringMatching(/^ {2}app\.yaml:2:\d+: not valid YAML: /)]),
    );
    expect(String(lines)).not.toMatch(/[\uE000-\uF8FF]/);
  });

  it('all issues come at once, in the order of the file', async () => {
    const lines = await load('mod: x\nlisten: { port: a, prt: 1 }\nlabel: 1\n');
    expect(lines).toEqual([
      'app.yaml: 4 problems',
      '  app.yaml:1:1: mod: unknown key, did you mean "mode"?',
      '  app.yaml:2:17: listen.port: expected a number, found "a"',
      '  app.yaml:2:20: listen.prt: unknown key, did you mean "port"?',
      '  app.yaml:3:8: label: expected a string, found the number 1; put it in quotes: "1"',
    ]);
  });

  it('aliases that explode are refused', async () => {
    const level = (name: string, of: string): string =>
      `${name}: &${name} [${Array(20).fill(`*${of}`).join(', ')}]`;
    const text = ['a: &a [1, 1]', level('b', 'a'), level('c', 'b'), level('d', 'c'), level('e', 'd')].join(
      '\n',
    );
    expect(await load(text)).toEqual([
      'app.yaml: 1 problem',
      expect.stringContaining('not usable: Excessive alias count'),
    ]);
  });

  it('__proto__ is an unknown key like any other', async () => {
    expect(await load('listen: { port: 1 }\n__proto__: { polluted: 1 }')).toEqual([
      'app.yaml: 1 problem',
      expect.stringContaining('app.yaml:2:1: __proto__: unknown key'),
    ]);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('a file that cannot be read', () => {
  it('is not there', async () => {
    await using dir = await tempDir();
    expect(attempt(join(dir.path, 'no.yaml'), {}, dir.path)).toEqual([
      'no.yaml: 1 problem',
      '  no.yaml:1:1: file not found; check the path given with --config',
    ]);
  });

  it('is a directory', async () => {
    await using dir = await tempDir();
    await mkdir(join(dir.path, 'd'));
    expect(attempt(join(dir.path, 'd'), {}, dir.path)).toEqual([
      'd: 1 problem',
      '  d:1:1: is a directory, expected a YAML file',
    ]);
  });

  it('is not UTF-8', async () => {
    expect(await load(Buffer.from([0x61, 0x3a, 0x20, 0xff]))).toEqual([
      'app.yaml: 1 problem',
      '  app.yaml:1:1: not valid UTF-8; save the file as UTF-8',
    ]);
  });
});
