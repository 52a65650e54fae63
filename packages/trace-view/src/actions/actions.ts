import type { ActionReply, Json } from '../contract/events.ts';
import { TraceViewError } from '../errors.ts';

/**
 * Does what a button asks for.
 *
 * @param input JSON of the request; null when it had no body.
 * @returns what the page is told.
 */
export type ActionHandler = (input: Json) => Json | Promise<Json>;

/** Thrown by an {@link ActionHandler} when it can't do what was asked, now or like this. The page shows the message. */
export class ActionError extends Error {
  override readonly name = 'ActionError';
  /** A machine's handle, such as `run_in_progress`. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The answer to a posted action. */
export interface ActionOutcome {
  readonly status: 200 | 404 | 409 | 500;
  readonly reply: ActionReply;
}

const NAME = /^[a-z][A-Za-z0-9_-]{0,63}$/;

/** The actions that pages may post, by name. */
export class Actions {
  readonly #handlers = new Map<string, ActionHandler>();

  /** Names, sorted. */
  names(): string[] {
    return [...this.#handlers.keys()].sort();
  }

  /** @throws {@link TraceViewError} `invalid_options` when the name is taken or no name. */
  add(name: string, handler: ActionHandler): void {
    if (!NAME.test(name) || this.#handlers.has(name))
      throw new TraceViewError(
        'invalid_options',
        `action ${JSON.stringify(name)}: ${this.#handlers.has(name) ? 'there is one of this name already' : 'expected up to 64 letters, digits, - and _, a small letter first'}`,
      );
    this.#handlers.set(name, handler);
  }

  remove(name: string): void {
    this.#handlers.delete(name);
  }

  /** Runs an action. Whatever its handler throws becomes an answer. */
  async run(name: string, input: Json): Promise<ActionOutcome> {
    const handler = this.#handlers.get(name);
    if (handler === undefined)
      return failure(
        404,
        'unknown_action',
        `there is no action ${name}; there are: ${this.names().join(', ')}`,
      );
    try {
      return { status: 200, reply: { ok: true, result: await handler(input) } };
    } catch (error) {
      if (error instanceof ActionError) return failure(409, error.code, error.message);
      return failure(500, 'action_failed', error instanceof Error ? error.message : String(error));
    }
  }
}

function failure(status: 404 | 409 | 500, code: string, message: string): ActionOutcome {
  return { status, reply: { ok: false, error: { code, message } } };
}
