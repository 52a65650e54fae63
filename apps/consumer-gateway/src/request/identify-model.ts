import { scanTopLevelKeys } from '@switchyard/proxy-core-http';
import { badRequest, type GatewayFailure } from '../answer/gateway-failure.ts';

/** Longest model name, in bytes: what an overlay allows for a candidate's name. */
const MODEL_BYTES_MAX = 256;

/** The model that a request asks for, or why that cannot be told. */
export type IdentifiedModel =
  | { readonly ok: true; readonly model: string }
  | { readonly ok: false; readonly failure: GatewayFailure };

/** What the model is read from. */
export interface ModelSources {
  /** The whole request body. It is scanned, never parsed and never rewritten. */
  readonly body: Buffer;
  /** Name and values of the configured model header; undefined when none is configured. */
  readonly header?: { readonly name: string; readonly values: readonly string[] } | undefined;
}

/**
 * Tells the model from the body's top-level `model` and the optional model header.
 * A header beside a body that names another model is an error, not a choice; a header alone is enough.
 */
export function identifyModel(sources: ModelSources): IdentifiedModel {
  const scanned = scanTopLevelKeys(sources.body, ['model']);
  if (scanned.kind === 'malformed')
    return fail('invalid_json', malformedText(sources.body, scanned.offset, scanned.message), undefined);
  const [model] = scanned.values;
  if (model !== undefined && model.kind !== 'string')
    return fail('invalid_model', `"model" must be a string, found ${model.kind}`);
  return fromHeader(sources.header, model?.value);
}

function fromHeader(header: ModelSources['header'], inBody: string | undefined): IdentifiedModel {
  const named = header?.values.map((value) => value.trim());
  const [first] = named ?? [];
  if (header === undefined || named === undefined || first === undefined) {
    if (inBody !== undefined) return checked(inBody, '"model"');
    const also = header === undefined ? '' : ` (or the header ${header.name})`;
    return fail('missing_model', `the request body names no "model"${also}`);
  }
  if (named.some((value) => value !== first))
    return fail('model_mismatch', `the header ${header.name} is given several times with different values`);
  if (inBody !== undefined && inBody !== first) {
    const message = `the header ${header.name} asks for ${quoted(first)}, but the body's "model" is ${quoted(inBody)}`;
    return fail('model_mismatch', message);
  }
  return checked(first, `the header ${header.name}`);
}

function checked(model: string, where: string): IdentifiedModel {
  if (model.trim() === '') return fail('invalid_model', `${where} must not be empty`);
  if (Buffer.byteLength(model) > MODEL_BYTES_MAX)
    return fail('invalid_model', `${where} must be at most ${MODEL_BYTES_MAX} bytes long`);
  return { ok: true, model };
}

function malformedText(body: Buffer, offset: number, reason: string): string {
  if (body.length === 0) return 'the request has no body; expected a JSON object with "model"';
  return `the request body is not a JSON object: ${reason} (at byte ${offset})`;
}

/** A client's text inside a message, cut to a length that keeps the message readable. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}

function fail(
  code: 'invalid_json' | 'invalid_model' | 'missing_model' | 'model_mismatch',
  message: string,
  param: string | undefined = 'model',
): IdentifiedModel {
  return { ok: false, failure: badRequest(code, message, param === undefined ? {} : { param }) };
}
