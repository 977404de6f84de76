/*
 * The official SDK's low-level server over its own HTTP handler, which counts and logs each call: a server for each request, in both forms of
 * the protocol. One tool, whose answer is in a file. Prints its port.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { openCounter } from './counting.mjs';

const [answer, file] = process.argv.slice(2);
const { result } = JSON.parse(readFileSync(answer, 'utf8'));
const count = openCounter(file);

const handler = createMcpHandler(() => {
  const server = new Server({ name: 'bare', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: [] }));
  server.setRequestHandler('tools/call', () => {
    count();
    return result;
  });
  return server;
});

const http = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => void respond(request, Buffer.concat(chunks), response));
});
http.listen(0, '127.0.0.1', () => process.stdout.write(`${http.address().port}\n`));

/** Between node:http and the handler, with as little as possible. */
async function respond({ url, headers }, body, response) {
  const request = new Request(`http://127.0.0.1${url}`, { method: 'POST', headers, body });
  const answered = await handler.fetch(request);
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  response.end(Buffer.from(await answered.arrayBuffer()));
}
