import { execFileSync } from 'node:child_process';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startFakeKubernetes, type TempDir, tempDir } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { SourceLab } from '../support/source-lab.ts';

describe('an API that refuses', () => {
  it('waits longer each time, and begins anew after a watch that lived for a minute', async () => {
    await using lab = await SourceLab.create();
    lab.publish('one');
    for (let i = 0; i < 7; i++) lab.kubernetes.fail('list', i % 2 === 0 ? 'drop' : { status: 503 });
    lab.source.start();
    const pauses: number[] = [];
    for (let i = 0; i < 7; i++) {
      expect(await lab.next('unavailable')).toMatchObject({ reason: 'api_unavailable' });
      pauses.push(lab.pause());
    }
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect(await lab.document()).toBe('one');
    await lab.watching();
    lab.time.advance(60_000);
    lab.kubernetes.watches[0]?.drop();
    await lab.next('unavailable');
    expect(lab.pause()).toBe(1000);
    await lab.watching(2);
  });

  it('a list that works does not shorten the pauses of a watch that does not', async () => {
    await using lab = await SourceLab.create();
    lab.publish('one');
    for (let i = 0; i < 3; i++) lab.kubernetes.fail('watch', { status: 500 });
    lab.source.start();
    const pauses: number[] = [];
    for (let i = 0; i < 3; i++) {
      await lab.next('unavailable');
      pauses.push(lab.pause());
    }
    expect(pauses).toEqual([1000, 2000, 4000]);
  });

  it.each(['list', 'watch'] as const)(
    '429 to a %s: Retry-After is kept to when it is longer',
    async (verb) => {
      await using lab = await SourceLab.create();
      lab.publish('one');
      lab.kubernetes.fail(verb, { status: 429, retryAfterSeconds: 7 });
      lab.kubernetes.fail(verb, { status: 503, retryAfterSeconds: 0 });
      lab.source.start();
      for (const pause of [7000, 2000]) {
        expect((await lab.next('unavailable')).message).toMatch(
          /status (429|503): status (429|503) as scripted$/,
        );
        expect(lab.pause()).toBe(pause);
      }
      expect(await lab.document()).toBe('one');
    },
  );

  it('429 never keeps it away for more than five minutes', async () => {
    await using lab = await SourceLab.create();
    lab.kubernetes.fail('list', { status: 429, retryAfterSeconds: 86_400 });
    lab.source.start();
    await lab.next('unavailable');
    expect(lab.time.pending).toEqual([180_000, 300_000]);
  });

  it('the token is read anew for each request', async () => {
    await using dir = await tempDir();
    const tokenFile = join(dir.path, 'token');
    let valid = 'first';
    await writeFile(tokenFile, 'first\n');
    const kubernetes = await startFakeKubernetes({ token: () => valid });
    await using lab = await SourceLab.create({ kubernetes, tokenFile });
    lab.publish('one');
    await lab.follow();
    expect(await lab.document()).toBe('one');
    valid = 'second';
    kubernetes.watches[0]?.drop();
    await lab.next('unavailable');
    lab.pause();
    expect((await lab.next('unavailable')).message).toContain('status 401: Unauthorized');
    await writeFile(tokenFile, 'second');
    lab.pause();
    expect(await lab.document()).toBe('one');
    expect(kubernetes.requests.at(-1)?.authorization).toBe('Bearer second');
  });

  it('a token file that is missing is said, and no request goes out without it', async () => {
    await using dir = await tempDir();
    await using lab = await SourceLab.create({ tokenFile: join(dir.path, 'none') });
    lab.source.start();
    expect((await lab.next('unavailable')).message).toMatch(/^the token can't be read: ENOENT/);
    expect(lab.kubernetes.requests).toEqual([]);
  });
});

const openssl = (() => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

async function makeCertificate(dir: TempDir): Promise<{ readonly key: string; readonly cert: string }> {
  const san = 'subjectAltName=IP:127.0.0.1';
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'key.pem'];
  const args = ['req', '-x509', ...key, '-days', '2', '-subj', '/CN=api', '-addext', san, '-out', 'cert.pem'];
  execFileSync('openssl', args, { cwd: dir.path, stdio: 'pipe' });
  const [keyText = '', cert = ''] = await Promise.all(
    ['key.pem', 'cert.pem'].map((name) => readFile(join(dir.path, name), 'utf8')),
  );
  return { key: keyText, cert };
}

// Certificates are made with openssl, which a machine with only Node may lack.
describe.skipIf(!openssl)('TLS', () => {
  it('trusts the authority in caFile, and takes up a new one without a restart', async () => {
    await using dir = await tempDir();
    await using other = await tempDir();
    const tls = await makeCertificate(dir);
    await makeCertificate(other);
    const caFile = join(dir.path, 'ca.pem');
    await writeFile(caFile, await readFile(join(other.path, 'cert.pem')));
    await using lab = await SourceLab.create({ kubernetes: await startFakeKubernetes({ tls }), caFile });
    lab.publish('one');
    lab.source.start();
    expect((await lab.next('unavailable')).message).toMatch(/certificate/i);
    await rename(join(dir.path, 'cert.pem'), caFile);
    lab.pause();
    expect(await lab.document()).toBe('one');
    await lab.watching();
  });
});

describe('an API that is silent', () => {
  it.each(['list', 'watch'] as const)('a %s without an answer is cut and tried again', async (verb) => {
    await using lab = await SourceLab.create();
    lab.publish('one');
    lab.kubernetes.fail(verb, 'hang');
    lab.source.start();
    await expect.poll(() => lab.kubernetes.requests.length).toBe(verb === 'list' ? 1 : 2);
    lab.time.advance(10_000);
    expect(await lab.next('unavailable')).toEqual({
      type: 'unavailable',
      reason: 'api_unavailable',
      message: 'the Kubernetes API gave no answer within 10000 ms',
    });
    expect(lab.pause()).toBe(1000);
    expect(await lab.document()).toBe('one');
    await lab.watching(verb === 'list' ? 1 : 2);
  });

  it('a watch that tells nothing, not even a bookmark, is given up and the ConfigMap listed at once', async () => {
    await using lab = await SourceLab.create();
    lab.publish('one');
    await lab.follow();
    await lab.document();
    lab.time.advance(170_000);
    lab.kubernetes.watches[0]?.bookmark();
    await lab.next('alive');
    lab.time.advance(179_999);
    expect(lab.told).toEqual([]);
    lab.time.advance(1);
    expect(await lab.next('unavailable')).toMatchObject({ reason: 'stale' });
    expect(await lab.next('reconnecting')).toMatchObject({ reason: 'stale' });
    expect(await lab.document()).toBe('one');
    await lab.watching(2);
    expect(lab.kubernetes.watches).toHaveLength(1);
  });

  it('errors that break a long silence do not hide that it was one', async () => {
    await using lab = await SourceLab.create();
    lab.publish('one');
    const pauses = [1, 2, 4, 8, 16, 30, 30, 30, 30, 30, 30].map((seconds) => seconds * 1000);
    for (const _ of pauses) lab.kubernetes.fail('list', 'drop');
    lab.source.start();
    const reasons: string[] = [];
    for (const pause of pauses) {
      let event = await lab.next('unavailable');
      if (event.message.startsWith('nothing was heard')) event = await lab.next('unavailable');
      reasons.push(event.reason);
      lab.time.advance(pause);
    }
    expect(reasons).toEqual([...pauses.slice(1).map(() => 'api_unavailable'), 'stale']);
    expect(await lab.document()).toBe('one');
  });
});
