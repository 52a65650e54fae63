import { setImmediate as nextTurn } from 'node:timers/promises';

/** Items looked at before requests get their turn: a fraction of a millisecond. */
const ITEMS_PER_TURN = 32;

/** A JSON object with a list that may be long. */
export interface StreamedList {
  /** The members before the list. */
  readonly head: Readonly<Record<string, unknown>>;
  /** The key of the list. */
  readonly key: string;
  /** Gone through once, and no further than the client reads. Undefined is left out. */
  readonly items: Iterable<unknown>;
  /** Items listed at most. Default all. When there are more, the object ends with `"more": true`. */
  readonly limit?: number | undefined;
}

/** An answer that is written while the list is gone through, so that thousands of items hold up nobody's request. */
export function streamedList(list: StreamedList): Response {
  const encoder = new TextEncoder();
  const parts = partsOf(list);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = parts.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
      await nextTurn();
    },
    cancel() {
      parts.return();
    },
  });
  return new Response(body, { headers: { 'content-type': 'application/json' } });
}

function* partsOf({ head, key, items, limit }: StreamedList): Generator<string, void, void> {
  let text = `${JSON.stringify(head).slice(0, -1)}${Object.keys(head).length > 0 ? ',' : ''}${JSON.stringify(key)}:[`;
  let listed = 0;
  let looked = 0;
  let more = false;
  for (const item of items) {
    if (item !== undefined) {
      if (listed === limit) {
        more = true;
        break;
      }
      text += (listed++ > 0 ? ',' : '') + JSON.stringify(item);
    }
    if (++looked % ITEMS_PER_TURN > 0) continue;
    yield text;
    text = '';
  }
  yield `${text}]${more ? ',"more":true' : ''}}`;
}
