// The least a server can do with a request: read its body and respond with the bytes of a file. Prints its port.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const answer = readFileSync(process.argv[2]);
const headers = { 'content-type': 'application/json', 'content-length': answer.length };

const server = createServer((request, response) => {
  request.on('data', () => undefined);
  request.on('end', () => response.writeHead(200, headers).end(answer));
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
