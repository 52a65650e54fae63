/** What `/v1/audio/speech` answers: bytes that no text decoder leaves alone. */
export const SPEECH: Buffer = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 7) % 256));

/** An error in the shape of the OpenAI API. */
export function errorReply(message: string, code: string): object {
  return { error: { message, type: 'invalid_request_error', param: null, code } };
}

/** A finished response of the Responses API. */
export function responseObject(parts: { id: string; text: string; previous: unknown }): object {
  const content = [{ type: 'output_text', text: parts.text, annotations: [] }];
  return {
    id: parts.id,
    object: 'response',
    created_at: 1_767_225_600,
    status: 'completed',
    model: 'm',
    previous_response_id: parts.previous ?? null,
    output: [{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content }],
    usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
  };
}

/** The same as a stream. */
export function responseEvents(made: object): object[] {
  const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };
  return [
    {
      type: 'response.created',
      sequence_number: 0,
      response: { ...made, status: 'in_progress', output: [] },
    },
    { type: 'response.output_text.delta', sequence_number: 1, ...place, delta: 'answers', logprobs: [] },
    { type: 'response.completed', sequence_number: 2, response: made },
  ];
}

/** A streamed message of the Messages API. */
export function messageEvents(text: string): object[] {
  const usage = { input_tokens: 1, output_tokens: 2 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], usage };
  return [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'ping' },
    ...text.split(/(?= )/).map((part) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: part },
    })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
}
