// The minimum a server can do with an upload: hash it on its way to a file. Prints its port.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import { pipeline } from 'node:stream/promises';

const [path] = process.argv.slice(2);

const server = createServer((request, response) => {
  void keep(request).then((sha256) => response.end(JSON.stringify({ sha256 })));
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));

async function keep(request) {
  const hash = createHash('sha256');
  await pipeline(
    request,
    async function* (chunks) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(path),
  );
  return hash.digest('hex');
}
