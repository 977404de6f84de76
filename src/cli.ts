#!/usr/bin/env node

import { runCommand } from './cli/run_command.js';

const [command, ...rest] = process.argv.slice(2);
await runCommand(async () => {
  // An assistant starts this on every launch and waits for it, so the common command line is recognized
  // without a parser.
  const isBundle = rest.join() === '--bundle';
  if (command === 'stdio' && (rest.length === 0 || isBundle)) {
    await (await import('./cli/serving/stdio.js')).stdio({}, { is_bundle: isBundle });
  } else await (await import('./cli/program.js')).runProgram();
});
