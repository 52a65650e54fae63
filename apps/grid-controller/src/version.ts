/** Version of the app, and `provenance.producer_version` of what it publishes. */
export const VERSION = '0.1.0';
/** `provenance.producer` of what it publishes. */
export const PRODUCER = 'switchyard-grid-controller';
