// A provider that answers everything at once.
import { createServer } from 'node:http';

const body = JSON.stringify({ id: 'x', object: 'chat.completion', choices: [] });
const server = createServer((request, response) => {
  request.resume().on('end', () => response.setHeader('content-type', 'application/json').end(body));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`${JSON.stringify({ type: 'listening', port: server.address().port })}\n`),
);
process.on('SIGTERM', () => process.exit(0));
