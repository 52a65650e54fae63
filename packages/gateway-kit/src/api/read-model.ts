import {
  type HeldBody,
  joinedBody,
  type ScannedValue,
  scanMultipartFields,
  scanTopLevelKeys,
} from '@switchyard/proxy-core-http';
import { headerValues } from '../http/raw-headers.ts';
import { type AskedResult, type AskingRequest, NAME_BYTES_MAX, problem, quoted } from './asked.ts';
import { stateKey } from './state-key.ts';

/** What a body says of itself. */
interface BodyFacts {
  /** Undefined when the body names none. */
  readonly model: string | undefined;
  readonly streamed: boolean;
  readonly stateKey: string | undefined;
}

type FactsResult = { readonly ok: true; readonly facts: BodyFacts } | Extract<AskedResult, { ok: false }>;

/**
 * The model of a JSON body or form. A header beside a body that names another model is an error, not a choice; a header
 * alone is enough.
 */
export function readModel(request: AskingRequest): AskedResult {
  const read = readBody(request);
  return read.ok ? withHeader(request, read.facts) : read;
}

/** What asks for a stored response: the model header, if there is one, and the id in the path. */
export function readStoredResponse(request: AskingRequest): AskedResult {
  const named = namedByHeader(request);
  if (!named.ok) return named;
  const held = request.id === undefined ? undefined : stateKey('response', request.id);
  return asked(named.model, { model: undefined, streamed: asksForStream(request.target), stateKey: held });
}

function readBody(request: AskingRequest): FactsResult {
  if (request.route.askedIn === 'form') {
    const types = headerValues(request.headers, 'content-type');
    const [type = ''] = types;
    if (types.length > 1) return problem('invalid_form', 'the request has several content-type headers');
    if (/^\s*multipart\//i.test(type)) return readForm(joinedBody(request.body), type);
  }
  return readJson(request);
}

function readForm(body: Buffer, contentType: string): FactsResult {
  const scan = scanMultipartFields(body, contentType, ['model', 'stream']);
  if (scan.kind === 'malformed') {
    const message = `the request body is not a whole multipart form: ${scan.message} (at byte ${scan.offset})`;
    return problem('invalid_form', message);
  }
  const [model, stream] = scan.values;
  if (scan.repeated === 'model') return repeatedModel;
  return { ok: true, facts: { model, streamed: stream === 'true', stateKey: undefined } };
}

function readJson({ body, route }: AskingRequest): FactsResult {
  const scan = scanTopLevelKeys(body, ['model', 'stream', 'previous_response_id', 'conversation']);
  if (scan.kind === 'malformed') {
    const reason = `the request body is not a JSON object: ${scan.message} (at byte ${scan.offset})`;
    const empty = 'the request has no body; expected a JSON object with "model"';
    return problem('invalid_json', body.length === 0 ? empty : reason);
  }
  const [model, stream, previous, conversation] = scan.values;
  if (scan.repeated === 'model') return repeatedModel;
  if (model !== undefined && model.kind !== 'string') {
    return problem('invalid_model', `"model" must be a string, found ${model.kind}`, { param: 'model' });
  }
  const streamed = stream?.kind === 'boolean' && stream.value;
  const held = route.createsResponse ? heldState(body, previous, conversation) : undefined;
  return { ok: true, facts: { model: model?.value, streamed, stateKey: held } };
}

/** Servers differ in which of two they take, so neither is safe to route by. */
const repeatedModel = problem(
  'invalid_model',
  'the request names its "model" more than once, or in other case',
  {
    param: 'model',
  },
);

/** Of a request that continues both, the response decides: it is the narrower one. */
function heldState(
  body: HeldBody,
  previous: ScannedValue | undefined,
  conversation: ScannedValue | undefined,
): string | undefined {
  if (previous?.kind === 'string') return stateKey('response', previous.value);
  const id = conversation?.kind === 'object' ? idOf(body, conversation) : conversation;
  return id?.kind === 'string' ? stateKey('conversation', id.value) : undefined;
}

function idOf(body: HeldBody, { start, end }: { start: number; end: number }): ScannedValue | undefined {
  const scan = scanTopLevelKeys(body.subarray(start, end), ['id']);
  return scan.kind === 'scanned' ? scan.values[0] : undefined;
}

function withHeader(request: AskingRequest, facts: BodyFacts): AskedResult {
  const { modelHeader } = request;
  const named = namedByHeader(request);
  if (!named.ok) return named;
  const { model } = named;
  if (model !== undefined && facts.model !== undefined && model !== facts.model) {
    const message = `the header ${String(modelHeader)} asks for ${quoted(model)}, but the body's "model" is ${quoted(facts.model)}`;
    return problem('model_mismatch', message, { param: 'model' });
  }
  if (model !== undefined) return asked(model, facts);
  if (facts.model === undefined) {
    const also = modelHeader === false ? '' : ` (or the header ${modelHeader})`;
    return problem('missing_model', `the request body names no "model"${also}`, { param: 'model' });
  }
  return checkName(facts.model, '"model"') ?? asked(facts.model, facts);
}

function namedByHeader({
  headers,
  modelHeader,
}: AskingRequest): { ok: true; model: string | undefined } | Extract<AskedResult, { ok: false }> {
  if (modelHeader === false) return { ok: true, model: undefined };
  const [first, ...others] = headerValues(headers, modelHeader).map((value) => value.trim());
  if (first === undefined) return { ok: true, model: undefined };
  if (others.some((value) => value !== first)) {
    const message = `the header ${modelHeader} is given several times with different values`;
    return problem('model_mismatch', message, { param: 'model' });
  }
  return checkName(first, `the header ${modelHeader}`) ?? { ok: true, model: first };
}

function checkName(model: string, where: string): Extract<AskedResult, { ok: false }> | undefined {
  if (model.trim() === '') return problem('invalid_model', `${where} must not be empty`, { param: 'model' });
  if (Buffer.byteLength(model) <= NAME_BYTES_MAX) return undefined;
  const message = `${where} must be at most ${NAME_BYTES_MAX} bytes long`;
  return problem('invalid_model', message, { param: 'model' });
}

function asked(name: string | undefined, facts: BodyFacts): AskedResult {
  const { streamed } = facts;
  return {
    ok: true,
    asked: {
      kind: 'inference_model',
      name,
      stateKey: facts.stateKey,
      streamed,
      openEnded: false,
      repeatable: true,
      rpcId: undefined,
    },
  };
}

function asksForStream(target: string): boolean {
  return /[?&]stream=true(?:&|$)/.test(target);
}
