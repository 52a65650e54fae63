import { appendFileSync } from 'node:fs';
import { startTraceView } from '@switchyard/trace-view';

// A process of its own: takes OTLP/HTTP trace exports as JSON on loopback and appends each export as one line to a file.

const file = process.argv[2];
if (file === undefined) {
  process.stderr.write('usage: node otlp-receiver/main.js FILE\n');
  process.exit(2);
}
const target: string = file;

const { port } = await startTraceView({
  port: 0,
  pageDirectory: null,
  receiver: {
    encodings: ['json'],
    // Parsed and printed again so that one export is one line, whatever its white space was.
    onExport: ({ body }) => appendFileSync(target, `${JSON.stringify(JSON.parse(body.toString('utf8')))}\n`),
  },
});
process.stdout.write(`${JSON.stringify({ event: 'listening', listener: 'otlp', port })}\n`);
process.on('SIGTERM', () => process.exit(0));
