import { type AskedResult, matchApiRoute, pathOfTarget, readAsked } from '../../src/index.ts';

/** A request as a test writes it. */
export interface AskOptions {
  readonly target?: string;
  readonly method?: string;
  readonly headers?: readonly string[];
  readonly modelHeader?: string | false;
}

/** What a request with this body asks for. */
export function ask(body: string | Buffer, options: AskOptions = {}): AskedResult {
  const { target = '/v1/chat/completions', method = 'POST', headers = [], modelHeader = false } = options;
  const matched = matchApiRoute(pathOfTarget(target));
  if (matched === undefined) throw new Error(`${target} is no route`);
  return readAsked({ ...matched, method, target, headers, body: Buffer.from(body), modelHeader });
}
