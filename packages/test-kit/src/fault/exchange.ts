import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { completionEvents, completionJson, type ReplyContent } from './openai-reply.ts';
import type { RequestRecorder } from './recorded-request.ts';

/** One request being answered, with the moves that modes are made of. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly record: RequestRecorder;
  readonly name: string;
  readonly #reply: Omit<ReplyContent, 'model'>;
  cutByMode = false;

  constructor(
    pair: { request: IncomingMessage; response: ServerResponse },
    record: RequestRecorder,
    reply: Omit<ReplyContent, 'model'>,
  ) {
    this.request = pair.request;
    this.response = pair.response;
    this.record = record;
    this.name = reply.name;
    this.#reply = reply;
  }

  /** Reads the whole request; false when the peer left before its end. */
  async readBody(): Promise<boolean> {
    try {
      for await (const chunk of this.request) this.record.addChunk(chunk as Buffer);
      this.record.bodyComplete = true;
      return true;
    } catch {
      return false;
    }
  }

  /** The request asked for a stream. */
  get streaming(): boolean {
    return this.#asked()['stream'] === true;
  }

  /** The answer as bytes that belong together: events of a stream, or single bytes of a plain body. */
  pieces(): string[] {
    return this.streaming ? completionEvents(this.#content()) : [...this.plainBody()];
  }

  plainBody(): string {
    return completionJson(this.#content());
  }

  /** Writes the head of a right answer, plus `extra` raw pairs. */
  head(extra: readonly string[] = []): void {
    const own = this.streaming
      ? ['content-type', 'text/event-stream', 'cache-control', 'no-cache']
      : ['content-type', 'application/json', 'content-length', String(Buffer.byteLength(this.plainBody()))];
    this.response.writeHead(200, [...own, 'x-fault-upstream', this.name, ...extra]);
    this.response.flushHeaders();
  }

  /** Writes and waits until the kernel has it; false when the peer is gone. */
  write(data: string | Uint8Array): Promise<boolean> {
    if (this.response.destroyed) return Promise.resolve(false);
    return new Promise((resolve) => this.response.write(data, (error) => resolve(!error)));
  }

  /** Breaks the connection. A reset throws away what the peer has not read, so it gets a moment to read. */
  async cut(how: 'reset' | 'fin'): Promise<void> {
    await delay(20);
    this.cutByMode = true;
    const socket = this.request.socket;
    if (how === 'fin') socket.end();
    else socket.resetAndDestroy();
  }

  #content(): ReplyContent {
    const model = this.#asked()['model'];
    return { ...this.#reply, model: typeof model === 'string' ? model : 'unknown' };
  }

  #asked(): Record<string, unknown> {
    try {
      const value: unknown = JSON.parse(this.record.body.toString());
      return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
    } catch {
      return {};
    }
  }
}
