#!/usr/bin/env node

import { say } from './cli/output.js';
import { toSentence } from './cli/sentence.js';

// Files that this process writes hold keys, tokens or a seller's files.
process.umask(0o077);
process.stdout.on('error', endWhenNobodyReads);
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);

const [command, ...rest] = process.argv.slice(2);
try {
  // An assistant starts this on every launch, and waits for it: the command line needs no reading.
  if (command === 'stdio' && rest.length === 0) await (await import('./cli/serving/stdio.js')).stdio({});
  else await (await import('./cli/program.js')).runProgram();
} catch (cause) {
  fail(cause);
}

/** One sentence, not a stack: the operator wants to know what to do. */
function fail(cause: unknown): void {
  say(`listing-service: ${toSentence(cause)}`);
  process.exit(1);
}

function endWhenNobodyReads(error: NodeJS.ErrnoException): void {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
}
