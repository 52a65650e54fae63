/** Version of the app. */
export const VERSION = '0.1.0';
