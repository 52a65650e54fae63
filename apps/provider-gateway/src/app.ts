/** Name in logs, traces and metrics, and the version of this app. */
export const APP: { readonly name: string; readonly version: string } = {
  name: 'provider-gateway',
  version: '0.1.0',
};
