import type { App } from '../compose.js';
import { OFFERED_TOOLS } from '../compose/offered_tools.js';
import { chooseTools } from '../compose/tools.js';
import { loadConfig, type Config } from '../config.js';
import { createOffer } from '../transports/mcp/offer.js';
import { speakBeforeStart } from '../transports/mcp/starting.js';
import { speakStdio } from '../transports/mcp/stdio_lines.js';
import { readPackage } from '../version.js';
import { closeWithin, createStopSignal } from './stop_signal.js';

/** An assistant that ends us waits about two seconds before it kills. */
const CLOSE_MS = 1_500;

/** An assistant says hello and asks for the tools at once, and what it waits for comes first: then the rest is loaded. */
const QUIET_MS = 100;

/** Speaks before the service runs: an assistant starts us on every launch, and often calls nothing. */
export async function stdio(flags: Record<string, string>): Promise<void> {
  const output = claimStdout();
  const signal = createStopSignal();
  const config = loadConfig(flags);
  const tools = chooseTools(OFFERED_TOOLS, config).map(({ tool }) => tool);
  const input = process.stdin;

  let starting: Promise<App> | undefined;
  let fail: (cause: unknown) => void;
  const failing = new Promise<never>((_resolve, reject) => (fail = reject));
  const start = (): Promise<App> => {
    stopWaiting();
    starting ??= open(config);
    starting.catch(fail);
    return starting;
  };
  const stopWaiting = startWhenQuiet(input, () => void start());

  const spoken = speakBeforeStart(createOffer(tools, config.read_only), {
    version: readPackage().version,
    start: async () => (await start()).service,
  });
  await Promise.race([speakStdio(spoken, { input, output, signal }), failing]);
  stopWaiting();
  if (starting) {
    const app = starting;
    await closeWithin(CLOSE_MS, async () => (await app).close());
  }
  process.exit(0);
}

/** Starts when the first messages have been followed by silence. Returns how to prevent it. */
function startWhenQuiet(input: NodeJS.ReadStream, start: () => void): () => void {
  let whenQuiet: NodeJS.Timeout | undefined;
  const wait = () => {
    clearTimeout(whenQuiet);
    whenQuiet = setTimeout(start, QUIET_MS);
  };
  input.on('data', wait);
  return () => {
    clearTimeout(whenQuiet);
    input.off('data', wait);
  };
}

async function open(config: Config): Promise<App> {
  const { compose } = await import('../compose.js');
  const app = await compose(config, { is_http: false });
  await app.core.listings.resume();
  app.core.sweeper.start();
  return app;
}

/** The protocol alone may write to stdout from now on; whatever else tries ends up in the log. */
function claimStdout(): { write(text: string): boolean } {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return { write: (text) => write(text) };
}
