/** RFC 7396: members of the patch replace, objects merge, null removes. */
export function applyMergePatch(
  target: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else if (isObject(value)) {
      const inner = merged[key];
      merged[key] = applyMergePatch(isObject(inner) ? inner : {}, value);
    } else merged[key] = value;
  }
  return merged;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
