// Hot path: asked of every document, once per candidate.
import { TIER_BYTES_MAX, TRAFFIC_WEIGHT_MAX, UINT32_MAX } from '../../limits.ts';
import { isHeaderSafe } from '../../stable-id.ts';
import { isObject, SCHEMA_VERSION } from '../detect.ts';
import { isIdentifier, isRfc3339 } from './fields.ts';

type Wire = Readonly<Record<string, unknown>>;

const DIGEST = /^[0-9a-f]{64}$/;

/**
 * Whether `checkStructure` would find nothing wrong, at a tenth of its cost. Says only yes or no: zod is asked for
 * the reasons, and a property test holds the two against each other. A wrong no costs time; there must be no wrong yes.
 */
export function hasOverlayShape(format: 'envelope' | 'legacy', root: Wire, maxCandidates: number): boolean {
  if (format === 'legacy') return isPayload(root, maxCandidates) && isOptional(root['network'], isName);
  const overlay = root['overlay'];
  return (
    root['schema_version'] === SCHEMA_VERSION &&
    isRevision(root['revision']) &&
    isDigest(root['content_digest']) &&
    isScope(root['scope']) &&
    isProvenance(root['provenance']) &&
    isObject(overlay) &&
    isName(overlay['network']) &&
    isPayload(overlay, maxCandidates)
  );
}

function isRevision(value: unknown): boolean {
  return isDigest(value) && isObject(value) && value['kind'] === 'content_addressed';
}

function isDigest(value: unknown): boolean {
  if (!isObject(value) || value['algorithm'] !== 'sha256') return false;
  const digest = value['value'];
  return typeof digest === 'string' && digest.length === 64 && DIGEST.test(digest);
}

function isScope(value: unknown): boolean {
  return (
    isObject(value) &&
    isName(value['network']) &&
    isName(value['gateway']) &&
    isName(value['namespace']) &&
    isName(value['local_site'])
  );
}

function isProvenance(value: unknown): boolean {
  return (
    isObject(value) &&
    isName(value['producer']) &&
    isName(value['producer_version']) &&
    isName(value['source_name']) &&
    isName(value['source_uid']) &&
    isInteger(value['source_generation'], 1, Number.MAX_SAFE_INTEGER) &&
    isName(value['rendered_at']) &&
    isRfc3339(value['rendered_at'])
  );
}

function isPayload(payload: Wire, maxCandidates: number): boolean {
  const candidates = payload['candidates'];
  if (!Array.isArray(candidates) || candidates.length === 0 || candidates.length > maxCandidates)
    return false;
  if (!isName(payload['local_site']) || !isOptional(payload['generated_at'], isString)) return false;
  for (const candidate of candidates) if (!isCandidate(candidate)) return false;
  return true;
}

function isCandidate(value: unknown): boolean {
  if (!isObject(value)) return false;
  const kind = value['kind'];
  return (
    (kind === 'inference_model' || kind === 'mcp_tool') &&
    isName(value['name']) &&
    isName(value['site']) &&
    isName(value['cluster']) &&
    isOptional(value['fresh'], isBoolean) &&
    isOptional(value['stable_id'], isStableId) &&
    isOptional(value['rank'], isUint32) &&
    isOptional(value['score'], Number.isFinite) &&
    isOptional(value['score_breakdown'], isObject) &&
    isOptional(value['admission_state'], isAdmission) &&
    isOptional(value['selection_tier'], isTier) &&
    isOptional(value['selection_group'], isUint32) &&
    isOptional(value['traffic_weight'], isWeight) &&
    isOptional(value['credential'], isCredential)
  );
}

function isAdmission(value: unknown): boolean {
  return (
    value === 'new_and_existing' || value === 'existing_only' || value === 'excluded' || value === 'none'
  );
}

function isCredential(value: unknown): boolean {
  if (!isObject(value) || value['strategy'] !== 'bearer_token') return false;
  const reference = value['secretRef'];
  return (
    isObject(reference) &&
    isName(reference['name']) &&
    isName(reference['namespace']) &&
    isName(reference['key']) &&
    // With all the known ones present, more members than these means an unknown one.
    Object.keys(value).length === 2 &&
    Object.keys(reference).length === 3
  );
}

/** JSON has no undefined: a member reads as undefined exactly when it is absent. */
function isOptional(value: unknown, accepts: (value: unknown) => boolean): boolean {
  return value === undefined || accepts(value);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && isIdentifier(value);
}

function isTier(value: unknown): boolean {
  return typeof value === 'string' && isIdentifier(value, TIER_BYTES_MAX);
}

function isStableId(value: unknown): boolean {
  return isName(value) && isHeaderSafe(value);
}

function isUint32(value: unknown): boolean {
  return isInteger(value, 0, UINT32_MAX);
}

function isWeight(value: unknown): boolean {
  return isInteger(value, 1, TRAFFIC_WEIGHT_MAX);
}

function isInteger(value: unknown, min: number, max: number): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max;
}

function isString(value: unknown): boolean {
  return typeof value === 'string';
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}
