/** What a reply says; fixed by the request, so that two runs give the same bytes. */
export interface ReplyContent {
  /** Name of the upstream; stands in the text. */
  readonly name: string;
  readonly model: string;
  /** Counts the upstream's requests from 1; part of the completion's id. */
  readonly serial: number;
  /** Content chunks of a stream. */
  readonly chunks: number;
}

const CREATED = 1_767_225_600;

/** Body of a plain chat completion. */
export function completionJson(content: ReplyContent): string {
  return JSON.stringify({
    id: completionId(content),
    object: 'chat.completion',
    created: CREATED,
    model: content.model,
    choices: [
      { index: 0, message: { role: 'assistant', content: words(content).join('') }, finish_reason: 'stop' },
    ],
    usage: { prompt_tokens: 3, completion_tokens: content.chunks, total_tokens: 3 + content.chunks },
  });
}

/** The same answer as SSE events, each with its closing blank line; the last is `[DONE]`. */
export function completionEvents(content: ReplyContent): string[] {
  const chunk = (delta: object, finish: string | null): string => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    const id = completionId(content);
    return `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: CREATED, model: content.model, choices })}\n\n`;
  };
  return [
    chunk({ role: 'assistant', content: '' }, null),
    ...words(content).map((word) => chunk({ content: word }, null)),
    chunk({}, 'stop'),
    'data: [DONE]\n\n',
  ];
}

/** Body of an OpenAI-shaped error. */
export function errorJson(status: number, name: string): string {
  const type = status === 429 ? 'rate_limit_error' : status < 500 ? 'invalid_request_error' : 'server_error';
  return JSON.stringify({ error: { message: `${name} answers ${status}`, type, param: null, code: null } });
}

function completionId(content: ReplyContent): string {
  return `chatcmpl-${content.name}-${content.serial}`;
}

/** Not ASCII only: bytes cut inside a character are a classic mistake of proxies. */
function words(content: ReplyContent): string[] {
  return Array.from({ length: content.chunks }, (_, i) => `${content.name} ${i} 🙂 `);
}
