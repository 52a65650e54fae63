import { Agent } from 'node:http';
import { type ClientTracing, type Question, type RequestRecord, sendRequest } from '@switchyard/demo-kit';

/** Every fourth round of the providers asks for a stream, so that both kinds of answer are in the proof. */
const STREAM_EVERY_ROUNDS = 4;

/** The two recorded questions that the backends can answer. */
const PLAIN = JSON.stringify({
  model: 'demo-model',
  messages: [{ role: 'user', content: 'Which site answers?' }],
});
const STREAM = JSON.stringify({
  model: 'demo-model',
  messages: [{ role: 'user', content: 'Which site answers?' }],
  stream: true,
});

/** What the window needs. */
export interface TrafficOptions {
  /** `http://127.0.0.1:PORT` of the consumer gateway. */
  readonly gatewayUrl: string;
  readonly requests: number;
  readonly providers: number;
  readonly tracing: ClientTracing;
  readonly onRecord: (record: RequestRecord) => void;
  readonly signal: AbortSignal;
}

/** What request number `n` asks. */
export function questionOf(n: number, providers: number): Question {
  const round = Math.floor((n - 1) / providers);
  const stream = round % STREAM_EVERY_ROUNDS === STREAM_EVERY_ROUNDS - 1;
  return { n, stream, body: stream ? STREAM : PLAIN };
}

/** Sends the requests one after another, no retries, and records what came back for each. */
export async function sendTraffic(options: TrafficOptions): Promise<RequestRecord[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const records: RequestRecord[] = [];
  try {
    for (let n = 1; n <= options.requests; n++) {
      options.signal.throwIfAborted();
      const record = await sendRequest(
        { gatewayUrl: options.gatewayUrl, agent, tracing: options.tracing, signal: options.signal },
        questionOf(n, options.providers),
      );
      records.push(record);
      options.onRecord(record);
    }
  } finally {
    agent.destroy();
  }
  return records;
}
