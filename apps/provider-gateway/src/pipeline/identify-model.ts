import { scanTopLevelString } from '@switchyard/proxy-core-http';
import { type Denial, denial } from './denial.ts';

/** The model of a request body, or why it has none. */
export type ModelResult =
  | { readonly ok: true; readonly model: string }
  | { readonly ok: false; readonly denial: Denial };

/** Reads the top-level `model` by a byte scan; the body is never parsed or changed. */
export function identifyModel(body: Buffer): ModelResult {
  const found = scanTopLevelString(body, 'model');
  switch (found.kind) {
    case 'string':
      if (found.value.trim() !== '') return { ok: true, model: found.value };
      return refuse('invalid_model', 'the "model" is blank', 'model');
    case 'missing':
      return refuse('missing_model', 'the request body has no "model"', 'model');
    case 'not_string':
      return refuse('invalid_model', `"model" must be a string, but found ${found.found}`, 'model');
    case 'malformed':
      return refuse(
        'invalid_json',
        `the body is not a JSON object: at byte ${found.offset}: ${found.message}`,
        null,
      );
  }
}

function refuse(code: Denial['code'], message: string, param: string | null): ModelResult {
  return { ok: false, denial: denial(400, code, message, param) };
}
