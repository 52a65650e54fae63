/** The parts of an error in the shape of the OpenAI API. */
export interface OpenAiErrorInput {
  /** HTTP status, 400 to 599. */
  readonly status: number;
  /** For a person: what was found, what was expected, what to do next. */
  readonly message: string;
  /** `invalid_request_error`, `server_error`, ... */
  readonly type: string;
  /** A machine's handle, `model_not_found`; null when there is none. */
  readonly code: string | null;
  /** The request field at fault; null when there is none. */
  readonly param: string | null;
}

/** A status and the JSON text to send with it. */
export interface ErrorReply {
  readonly status: number;
  /** `{"error":{"message","type","param","code"}}`: always all four keys, as clients expect. */
  readonly body: string;
}

/** Builds an OpenAI-shaped error: the four keys, in the order the API itself uses. */
export function openAiError(input: OpenAiErrorInput): ErrorReply {
  const { status, message, type, param, code } = input;
  return { status, body: JSON.stringify({ error: { message, type, param, code } }) };
}
