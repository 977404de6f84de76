// Accepts a request and answers it when its sender has nearly given up. Prints its port.
import { createServer } from 'node:http';

const LATE_MS = 9_000;

const server = createServer((request, response) => {
  request.resume();
  setTimeout(() => response.writeHead(200).end(), LATE_MS);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
