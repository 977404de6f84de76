/*
 * The service as a process with wrapped ports: `serve`, `stdio`, and `record <from> <to>`, which records order
 * events of the default account as the service does. In addition to the service's own settings:
 *
 * CRASH_AT      where the process ends as in a power cut, or, with /stop after it, is suspended, as on a sleeping computer
 * RECORD_CALLS  a file to which the name of each call of a port is written, one per line
 * CLOCK_STEPS   how far the clock is off, and when it is set
 */
import { appendFileSync } from 'node:fs';
import { runCommand } from '../../src/cli/run_command.js';
import { serve } from '../../src/cli/serving/serve.js';
import { stdio } from '../../src/cli/serving/stdio.js';
import { compose, type ComposeOptions } from '../../src/compose.js';
import { loadConfig } from '../../src/config.js';
import { createFinder } from './crash_point.js';
import { watchPorts, type Watch } from './ports.js';
import { createSteppedClock } from './stepped_clock.js';

type Given = Omit<ComposeOptions, 'is_http'>;

const { CRASH_AT, RECORD_CALLS, CLOCK_STEPS } = process.env;
const [command, ...args] = process.argv.slice(2);

await runCommand(async () => {
  const watches = [
    ...(CRASH_AT === undefined ? [] : [createEnd(CRASH_AT)]),
    ...(RECORD_CALLS === undefined ? [] : [createRecorder(RECORD_CALLS)]),
  ];
  const given: Given = {
    wrapPorts: (ports) => watches.reduce(watchPorts, ports),
    ...(CLOCK_STEPS !== undefined && { clock: createSteppedClock(CLOCK_STEPS) }),
  };
  if (command === 'serve') await serve({}, given);
  else if (command === 'stdio') await stdio({}, given);
  else if (command === 'record') await record(Number(args[0]), Number(args[1]), given);
  else throw new Error(`There is no command ${command}.`);
});

function createEnd(text: string): Watch {
  const [point = '', stop] = text.split('/');
  const isReached = createFinder(point);
  let isOver = false;
  return (...seen) => {
    if (isOver || !isReached(...seen)) return;
    isOver = true;
    process.kill(process.pid, stop === undefined ? 'SIGKILL' : 'SIGSTOP');
  };
}

function createRecorder(file: string): Watch {
  return (side, call) => {
    if (side === 'before') appendFileSync(file, `${call}\n`);
  };
}

/** Prints each number once it is recorded, or known to be. */
async function record(from: number, to: number, given: Given): Promise<void> {
  const app = await compose(loadConfig(), { ...given, is_http: false });
  const { account_id } = await app.core.accounts.getDefault();
  for (let n = from; n <= to; n += 1) {
    await app.core.events.record({
      account_id,
      event_type: 'order.paid',
      data: { n },
      subject: `order:${Math.floor(n / 4)}`,
      change_key: `crash:${n}`,
    });
    process.stdout.write(`${n}\n`);
  }
  await app.close();
}
