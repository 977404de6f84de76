import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Whether a person is there to answer. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** What a person types, on the terminal alone: stdout may go to a file. `is_secret`: it does not appear. */
export async function ask(
  question: string,
  { signal, is_secret = false }: { signal: AbortSignal; is_secret?: boolean },
): Promise<string> {
  const output = is_secret ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stderr;
  if (is_secret) process.stderr.write(question);
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  // The terminal is read letter by letter then, and no longer makes a signal of it.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return (await lines.question(is_secret ? '' : question, { signal })).trim();
  } finally {
    lines.close();
    if (is_secret) process.stderr.write('\n');
  }
}
