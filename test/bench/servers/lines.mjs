// The least that a server can do over stdio: parse each line, answer the bytes of a file.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const answer = readFileSync(process.argv[2], 'utf8');

createInterface({ input: process.stdin }).on('line', (line) => {
  JSON.parse(line);
  process.stdout.write(`${answer}\n`);
});
