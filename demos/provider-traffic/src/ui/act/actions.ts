import { ActionError, type Json, type TraceView } from '@switchyard/trace-view';
import type { DemoPolicy } from '../../records/types.ts';
import type { Session } from './session.ts';

const POLICIES: readonly DemoPolicy[] = ['round_robin', 'random', 'deterministic'];

/** Offers to pages what a session can do. Input comes from outside and is checked here. */
export function offerActions(view: Pick<TraceView, 'onAction'>, session: Session): void {
  view.onAction('run-again', () => {
    session.runAgain();
    return null;
  });
  const offer = (name: string, act: (input: Json) => Promise<void>): void => {
    view.onAction(name, async (input) => {
      await act(input);
      return null;
    });
  };
  offer('steady', (input) => session.steady(flag(input, 'on')));
  offer('policy', (input) => session.selectBy(policy(input)));
  offer('drain', (input) => session.drain(text(input, 'provider'), flag(input, 'on')));
  offer('kill', (input) => session.kill(text(input, 'provider')));
  offer('restore', (input) => session.restore(text(input, 'provider')));
  offer('break-overlay', () => session.breakOverlay());
}

function field(input: Json, name: string): Json {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
    ? ((input as Readonly<Record<string, Json>>)[name] ?? null)
    : null;
}

function text(input: Json, name: string): string {
  const value = field(input, name);
  if (typeof value === 'string') return value;
  throw new ActionError('bad_input', `expected a text as "${name}", but found ${JSON.stringify(value)}`);
}

function flag(input: Json, name: string): boolean {
  const value = field(input, name);
  if (typeof value === 'boolean') return value;
  throw new ActionError(
    'bad_input',
    `expected true or false as "${name}", but found ${JSON.stringify(value)}`,
  );
}

function policy(input: Json): DemoPolicy {
  const value = text(input, 'policy');
  const found = POLICIES.find((known) => known === value);
  if (found !== undefined) return found;
  throw new ActionError('bad_input', `"policy" must be one of ${POLICIES.join(', ')}`);
}
