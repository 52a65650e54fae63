/** What a refusal says. */
export interface Refusal {
  /** HTTP status. */
  readonly status: number;
  /** The word that Kubernetes has for it. */
  readonly reason: string;
  readonly message: string;
  /** Name of the ConfigMap it is about. */
  readonly about?: string | undefined;
}

/** The body of a refusal, as clients of Kubernetes expect it. */
export function statusObject({ status: code, reason, message, about }: Refusal): Record<string, unknown> {
  const details = about === undefined ? {} : { details: { name: about, kind: 'configmaps' } };
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...details,
    code,
  };
}

/** The body of a deletion that was done. */
export function deletedStatus(name: string, uid: string): Record<string, unknown> {
  const details = { name, kind: 'configmaps', uid };
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}
