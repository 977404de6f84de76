import { say } from './output.js';
import { toSentence } from './sentence.js';

/**
 * Runs the command of this process. An error ends it with one sentence instead of a stack, since the operator
 * wants to know what to do.
 */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  // Files that this process writes contain keys, tokens or a seller's files.
  process.umask(0o077);
  process.stdout.on('error', endWhenNobodyReads);
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  await command().catch(fail);
}

function fail(cause: unknown): void {
  say(`listing-service: ${toSentence(cause)}`);
  process.exit(1);
}

function endWhenNobodyReads(error: NodeJS.ErrnoException): void {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
}
