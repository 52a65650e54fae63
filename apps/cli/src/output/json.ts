/** Version of every `--json` shape. A member may be added under the same number; none changes or goes. */
const JSON_SCHEMA_VERSION = 1;

/**
 * The text of a `--json` answer.
 *
 * @param command - Words of the command, such as `overlay validate`.
 */
export function jsonText(command: string, body: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ schemaVersion: JSON_SCHEMA_VERSION, command, ...body }, null, 2);
}
