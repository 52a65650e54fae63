import type { RenderedOverlay, RenderFailure } from '@switchyard/grid-core';

/** Where one gateway's overlay stands. */
export interface GatewayStatus {
  readonly network: string;
  readonly namespace: string;
  readonly gateway: string;
  /**
   * `distributed`: what was rendered last is published. `retained`: nothing could be rendered from whole
   * manifests, what was published before stays. `error`: it was rendered but could not be written.
   */
  readonly phase: 'distributed' | 'retained' | 'error';
  /** A stable word, such as `EmptyCandidates` or `OverlayWriteFailed`; empty when distributed. */
  readonly reason: string;
  /** For people; empty when distributed. */
  readonly message: string;
  readonly directory: string | null;
  readonly renderedRevision: string | null;
  readonly distributedRevision: string | null;
  readonly candidateCount: number | null;
}

/** Status of a gateway whose overlay is published. */
export function distributed(overlay: RenderedOverlay, directory: string): GatewayStatus {
  const { network, namespace, gateway, revision, candidateCount } = overlay;
  return {
    network,
    namespace,
    gateway,
    phase: 'distributed',
    reason: '',
    message: '',
    directory,
    renderedRevision: revision,
    distributedRevision: revision,
    candidateCount,
  };
}

/** Status of a gateway that keeps the overlay it has; `before` says which one, as far as this process knows. */
export function retained(
  failure: Pick<RenderFailure, 'network' | 'namespace' | 'gateway' | 'code' | 'message'>,
  before: GatewayStatus | undefined,
): GatewayStatus {
  const { network, namespace, gateway, code, message } = failure;
  return {
    network,
    namespace,
    gateway,
    phase: 'retained',
    reason: code,
    message,
    directory: before?.directory ?? null,
    renderedRevision: before?.renderedRevision ?? null,
    distributedRevision: before?.distributedRevision ?? null,
    candidateCount: before?.candidateCount ?? null,
  };
}

/** Status of a gateway whose overlay was rendered and could not be written. */
export function writeFailed(
  overlay: RenderedOverlay,
  { reason, message }: { readonly reason: string; readonly message: string },
  before: GatewayStatus | undefined,
): GatewayStatus {
  const { network, namespace, gateway, revision } = overlay;
  return {
    network,
    namespace,
    gateway,
    phase: 'error',
    reason,
    message,
    directory: before?.directory ?? null,
    renderedRevision: revision,
    distributedRevision: before?.distributedRevision ?? null,
    candidateCount: before?.candidateCount ?? null,
  };
}
