import type { AskedIn } from './api-routes.ts';
import type { AskedResult, AskingRequest } from './asked.ts';
import { mislabelledBody } from './body-label.ts';
import { readMcp } from './read-mcp.ts';
import { readModel, readStoredResponse } from './read-model.ts';

const READERS: Readonly<Record<AskedIn, (request: AskingRequest) => AskedResult>> = {
  json: readModel,
  form: readModel,
  stored_response: readStoredResponse,
  mcp: readMcp,
};

/** Tells what a request of any proxied route asks for. */
export function readAsked(request: AskingRequest): AskedResult {
  return mislabelledBody(request) ?? READERS[request.route.askedIn](request);
}
