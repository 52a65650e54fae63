import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { PlantedCopy } from './planted-copy.ts';
import { repository, sourceFiles } from './repository.ts';

const copy = new PlantedCopy();
afterAll(() => copy.remove());

const importing = (specifier: string): string =>
  `import * as planted from '${specifier}';\n\nexport { planted };\n`;

describe('restricted imports: Biome finds a planted violation', () => {
  const lint = (file: string, specifier: string): string =>
    copy.ask(['biome', 'lint', file], { [file]: importing(specifier) });

  it.each([
    ['packages/proxy-core-lb/src/planted.ts', '@switchyard/overlay-contract'],
    ['packages/proxy-core-http/src/planted.ts', '@switchyard/ai-route'],
    ['packages/ai-route/src/planted.ts', '@switchyard/grid-core'],
    ['packages/ai-route/src/planted.ts', '@switchyard/proxy-core-lb'],
    ['packages/grid-core/src/planted.ts', '@switchyard/ai-route'],
    ['packages/overlay-contract/src/planted.ts', '@switchyard/ai-route'],
    ['packages/gateway-kit/src/planted.ts', '@switchyard/ai-route'],
    ['packages/trace-view/src/planted.ts', '@switchyard/gateway-kit'],
    ['apps/consumer-gateway/src/planted.ts', '@switchyard/provider-gateway'],
    ['apps/consumer-gateway/src/planted.ts', '@switchyard/ai-route/src/router'],
    ['demos/provider-traffic/src/planted.ts', '@switchyard/consumer-gateway'],
    ['demos/provider-traffic/src/planted.ts', '@switchyard/gateway-kit'],
  ])('%s imports %s', (file, specifier) => {
    expect(lint(file, specifier)).toContain('noRestrictedImports');
  });

  it.each([
    ['packages/ai-route/src/planted.ts', '@switchyard/overlay-contract'],
    ['packages/proxy-core-http/src/planted.ts', '@switchyard/proxy-core-lb'],
    ['apps/consumer-gateway/src/planted.ts', '@switchyard/ai-route'],
  ])('%s may import %s', (file, specifier) => {
    expect(lint(file, specifier)).not.toContain('noRestrictedImports');
  });

  it('an import cycle', () => {
    const files = {
      'packages/proxy-core-lb/src/planted.ts': importing('./planted-too.ts'),
      'packages/proxy-core-lb/src/planted-too.ts': importing('./planted.ts'),
    };
    expect(copy.ask(['biome', 'lint', 'packages/proxy-core-lb/src'], files)).toContain('noImportCycles');
  });
});

describe('boundaries: turbo finds a planted violation', () => {
  const boundaries = (file: string, specifier: string, dependency?: string): string =>
    copy.ask(['turbo', 'boundaries'], { [file]: importing(specifier) }, dependency);

  it('and nothing in the workspace as it is', () => {
    expect(boundaries('packages/ai-route/src/planted.ts', 'node:fs')).toContain('no issues found');
  });

  it.each([
    ['packages/proxy-core-lb/src/planted.ts', '@switchyard/overlay-contract'],
    ['packages/ai-route/src/planted.ts', '@switchyard/proxy-core-lb'],
    ['packages/grid-core/src/planted.ts', '@switchyard/ai-route'],
    ['apps/vcr-backend/src/planted.ts', '@switchyard/consumer-gateway'],
    ['demos/provider-traffic/src/planted.ts', '@switchyard/consumer-gateway'],
  ])('%s imports %s, declared in its manifest', (file, dependency) => {
    const said = boundaries(file, dependency, dependency);
    expect(said).not.toContain('no issues found');
    expect(said).toContain(dependency);
  });

  it('an undeclared import', () => {
    expect(boundaries('packages/grid-core/src/planted.ts', '@switchyard/ai-route')).toContain(
      'not a dependency',
    );
  });

  it('a path that leaves the package', () => {
    expect(boundaries('packages/grid-core/src/planted.ts', '../../ai-route/src/index.ts')).toContain(
      'leaves the package',
    );
  });
});

describe('words', () => {
  it('the generic libraries know no word of the product', () => {
    const forbidden = /grid|overlay|provider|admission|affinity/i;
    const found = readdirSync(join(repository, 'packages'))
      .filter((name) => name.startsWith('proxy-core-'))
      .flatMap((name) => sourceFiles(`packages/${name}/src`))
      .flatMap((file) =>
        readFileSync(join(repository, file), 'utf8')
          .split('\n')
          .flatMap((line, index) => (forbidden.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
      );
    expect(found).toEqual([]);
  });
});
