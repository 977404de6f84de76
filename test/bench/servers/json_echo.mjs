// The least that a server can do with a call: read and parse its body, answer the bytes of a file. Prints its port.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const answer = readFileSync(process.argv[2]);
const headers = { 'content-type': 'application/json', 'content-length': answer.length };

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    if (chunks.length > 0) JSON.parse(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    response.writeHead(200, headers).end(answer);
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
