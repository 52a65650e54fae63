/** The body of a refusal, as clients of Kubernetes expect it. */
export function statusObject(code: number, reason: string, message: string): Record<string, unknown> {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
}

/** The body of a deletion that was done. */
export function deletedStatus(name: string, uid: string): Record<string, unknown> {
  const details = { name, kind: 'configmaps', uid };
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}
