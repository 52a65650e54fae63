// A proxy that fails must not pass for a fast one: what came out is compared with what went in, byte by byte before a
// series and by counts in every window.
import http from 'node:http';

/** One exchange, to the end: status and body. */
function exchange({ port, body, headers = [] }) {
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/v1/chat/completions',
        agent: false,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          ...pairs(headers),
        },
      },
      (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk)).on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }),
        );
      },
    );
    request.setTimeout(20_000, () => request.destroy(new Error('no answer within 20 s')));
    request.on('error', reject).end(body);
  });
}

function pairs(lines) {
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
}

/** What is wrong with a contestant's reply beside the backend's own; undefined when nothing is. */
export async function replyDiffers({ direct, port, headers, stream }) {
  const body = JSON.stringify({ model: 'bench-model', stream, messages: [{ role: 'user', content: 'hi' }] });
  const expected = await exchange({ port: direct, body });
  const found = await exchange({ port, body, headers });
  if (found.status !== 200) return `it answers ${found.status}: ${found.text.slice(0, 200)}`;
  return found.text === expected.text
    ? undefined
    : `its reply is not the backend's: ${found.text.length} bytes instead of ${expected.text.length}`;
}

/**
 * What is wrong with a window of load; undefined when nothing is.
 * @param load - What the load generator saw. @param got - What the backend saw.
 */
export function windowFails({ load, got, bodyBytes, exact }) {
  const { finished, not200, wrongSize, broken, timedOut } = load;
  if (finished === 0) return 'no request was answered';
  if (not200 + wrongSize + broken > 0 || timedOut)
    return `${not200} replies were no 200, ${wrongSize} had a wrong size, ${broken} broke off${timedOut ? ', some never came' : ''}`;
  const served = got.requests.slice(0, 3);
  const total = served.reduce((sum, count) => sum + count, 0);
  if (total !== finished) return `${finished} requests were answered, but the backends saw ${total}`;
  if (exact && got.bodyBytes < finished * bodyBytes) return 'the backends received less than was sent';
  // Four standard deviations of a fair random split, and for small windows the requests on their way.
  const tolerance = Math.max(4 * Math.sqrt((finished * 2) / 9), 24);
  const uneven = served.some((count) => Math.abs(count - finished / 3) > tolerance);
  return uneven ? `the split over the backends is ${served.join(' : ')}` : undefined;
}
