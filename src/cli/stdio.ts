import { compose } from '../compose.js';
import { loadConfig } from '../config.js';
import { runStdio } from '../transports/mcp/stdio.js';
import { closeWithin, createStopSignal } from './stop_signal.js';

/** An assistant that ends us waits about two seconds before it kills. */
const CLOSE_MS = 1_500;

export async function stdio(flags: Record<string, string>): Promise<void> {
  const output = claimStdout();
  const signal = createStopSignal();
  const app = await compose(loadConfig(flags), { is_http: false });
  await app.core.listings.resume();
  app.core.sweeper.start();
  await runStdio(app.service, { input: process.stdin, output, signal });
  await closeWithin(CLOSE_MS, () => app.close());
  process.exit(0);
}

/** The protocol alone may write to stdout from now on; whatever else tries ends up in the log. */
function claimStdout(): { write(text: string): boolean } {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return { write: (text) => write(text) };
}
