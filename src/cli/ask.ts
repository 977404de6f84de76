import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Whether a person can be asked on the terminal. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/**
 * Asks a person on the terminal, over stderr since stdout may go to a file. Answers what was typed. `is_secret`: it is not shown
 * while it is typed.
 */
export async function ask(
  question: string,
  { signal, is_secret = false }: { signal: AbortSignal; is_secret?: boolean },
): Promise<string> {
  const output = is_secret ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stderr;
  if (is_secret) process.stderr.write(question);
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  // In this mode the terminal passes on Ctrl+C as a character instead of sending SIGINT, so it is sent here.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return (await lines.question(is_secret ? '' : question, { signal })).trim();
  } finally {
    lines.close();
    if (is_secret) process.stderr.write('\n');
  }
}
