import { scanTopLevelKeys } from '@switchyard/proxy-core-http';
import { type Denial, denial } from './denial.ts';

/** The model of a request body, or why it has none. */
export type ModelResult =
  | { readonly ok: true; readonly model: string }
  | { readonly ok: false; readonly denial: Denial };

/** Reads the top-level `model` by a byte scan; the body is never parsed or changed. */
export function identifyModel(body: Buffer): ModelResult {
  const found = scanTopLevelKeys(body, ['model']);
  if (found.kind === 'malformed') {
    const message = `the body is not a JSON object: at byte ${found.offset}: ${found.message}`;
    return refuse('invalid_json', message, null);
  }
  const [model] = found.values;
  if (model === undefined) return refuse('missing_model', 'the request body has no "model"', 'model');
  if (model.kind !== 'string')
    return refuse('invalid_model', `"model" must be a string, but found ${model.kind}`, 'model');
  if (model.value.trim() === '') return refuse('invalid_model', 'the "model" is blank', 'model');
  return { ok: true, model: model.value };
}

function refuse(code: Denial['code'], message: string, param: string | null): ModelResult {
  return { ok: false, denial: denial(400, code, message, param) };
}
