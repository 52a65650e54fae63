import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FaultUpstream, startFaultUpstream, type TempDir, tempDir } from '@switchyard/test-kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AiBackend, startAiBackend } from './support/ai-backend.ts';
import { SPEECH } from './support/ai-replies.ts';
import { startTopology, type Topology } from './support/topology.ts';

const CHAT = '{"model":"demo-model","messages":[{"role":"user","content":"hi"}]}';
const STREAM = CHAT.replace('{', '{"stream":true,');

/** Exit code and output of curl; 18 is "the transfer broke off". */
function curl(...args: string[]): Promise<{ code: number | null; stdout: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('curl', ['-sS', '--max-time', '30', ...args]);
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout }));
  });
}

describe('curl through both gateways', () => {
  let upstream: FaultUpstream;
  let backend: AiBackend;
  let chat: Topology;
  let audio: Topology;
  let dir: TempDir;
  let url: string;

  beforeAll(async () => {
    dir = await tempDir();
    upstream = await startFaultUpstream({ name: 'a' });
    backend = await startAiBackend('b');
    const routing = { viability: { enabled: false } };
    chat = await startTopology({ paths: ['/v1/chat/completions'], backends: [upstream.origin], routing });
    audio = await startTopology({
      paths: ['/v1/audio/transcriptions', '/v1/audio/speech'],
      backends: [backend.origin],
    });
    url = `${chat.origin}/v1/chat/completions`;
  });
  beforeEach(() => upstream.reset());
  afterAll(async () => {
    await Promise.all([chat, audio].map((topology) => topology[Symbol.asyncDispose]()));
    await upstream.close();
    await backend[Symbol.asyncDispose]();
    await dir.remove();
  });

  it('a body as curl sends it by default, whatever content type that is', async () => {
    const { code, stdout } = await curl(url, '-d', CHAT);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { object: 'chat.completion' }]);
    expect(upstream.requests[0]?.header('content-type')).toBe('application/x-www-form-urlencoded');
  });

  it('a stream byte for byte, comments, CRLF and all', async () => {
    for (const mode of ['ok', 'crlf', 'split'] as const) {
      upstream.setMode(mode);
      const through = await curl('-N', url, '-d', STREAM);
      const direct = await curl('-N', `${upstream.origin}/v1/chat/completions`, '-d', STREAM);
      const serial = /chatcmpl-a-\d+/g;
      expect(through.code).toBe(0);
      expect(through.stdout.replace(serial, '')).toBe(direct.stdout.replace(serial, ''));
    }
  });

  it('a broken stream looks broken', async () => {
    for (const mode of ['cut:2', 'cut:2:fin'] as const) {
      upstream.setMode(mode);
      const { code, stdout } = await curl('-N', url, '-d', STREAM);
      expect([18, 56]).toContain(code);
      expect(stdout).not.toContain('[DONE]');
    }
  });

  it('Expect: 100-continue is answered here', async () => {
    const { code, stdout } = await curl(url, '-H', 'Expect: 100-continue', '-d', CHAT);
    expect([code, stdout.includes('chat.completion')]).toEqual([0, true]);
    expect(upstream.requests[0]?.header('expect')).toBeUndefined();
  });

  it('a chunked upload without a length, and a download', async () => {
    const sound = Buffer.alloc(2_000_000, Buffer.from([0, 13, 10, 45, 45, 255]));
    const file = join(dir.path, 'sound.wav');
    await writeFile(file, sound);
    const upload = await curl(
      `${audio.origin}/v1/audio/transcriptions`,
      ...['-H', 'Transfer-Encoding: chunked', '-F', `file=@${file}`, '-F', 'model=demo-model'],
    );
    expect(JSON.parse(upload.stdout)).toMatchObject({
      text: expect.stringMatching(/^b heard 2000\d{3}/) as unknown,
    });
    expect(backend.seen.at(-1)?.body.includes(sound)).toBe(true);

    const target = join(dir.path, 'speech.mp3');
    await curl(`${audio.origin}/v1/audio/speech`, '-d', '{"model":"demo-model"}', '-o', target);
    expect((await readFile(target)).equals(SPEECH)).toBe(true);
  });

  it('the wrong method, and a path that is none', async () => {
    const method = await curl(url, '-i', '-X', 'DELETE');
    expect(method.stdout).toMatch(/^HTTP\/1\.1 405 [\s\S]*allow: POST/i);
    const path = await curl(`${url}/`, '-d', CHAT);
    expect(JSON.parse(path.stdout)).toMatchObject({ error: { code: 'unknown_path' } });
  });
});
