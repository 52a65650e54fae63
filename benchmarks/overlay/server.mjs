// A server that answers each request with the provider its router names: node server.mjs FILE inline|worker MODELS_IN_USE
import { createServer } from 'node:http';
import { follow } from './follow.mjs';

const [file, mode, modelsInUse] = process.argv.slice(2);
const tell = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const router = await follow(file, mode, ({ type, revision }) => tell({ type, revision }));
let n = 0;
const server = createServer((_request, response) => {
  const result = router.select({
    kind: 'inference_model',
    name: `organisation/model-${n++ % Number(modelsInUse)}`,
  });
  response.end(result.ok ? result.selection.decision.candidate.cluster : result.reason);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => tell({ type: 'listening', port: server.address().port }));
process.on('SIGTERM', () => process.exit(0));
