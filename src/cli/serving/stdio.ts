import type { Readable } from 'node:stream';
import { isatty } from 'node:tty';
import type { App, ComposeOptions } from '../../compose.js';
import { OFFERED_TOOLS } from '../../compose/offered_tools.js';
import { chooseTools } from '../../compose/tools.js';
import { loadConfig, type Config } from '../../config.js';
import { createOffer } from '../../transports/mcp/offer.js';
import { ProtocolError, RPC } from '../../transports/mcp/protocol_error.js';
import { speakBeforeStart } from '../../transports/mcp/stdio/starting.js';
import { speakStdio } from '../../transports/mcp/stdio/lines.js';
import { readPackage } from '../../version.js';
import type { Service } from '../../transports/index.js';
import { say } from '../output.js';
import { toSentence } from '../sentence.js';
import { closeWithin, createStopSignal, whenStopped } from './stop_signal.js';

/** An assistant that stops us waits about two seconds before it kills the process. */
const CLOSE_MS = 1_500;
/** How long a client may take to read the last responses after its input has ended. */
const DRAIN_MS = 25_000;

/**
 * An assistant sends initialize and asks for the tools at once, and waits for them; everything else is loaded
 * after that.
 */
const QUIET_MS = 100;

/**
 * Answers the protocol before the service runs, because an assistant starts this process on every launch and
 * often calls nothing. If the service cannot run, each request is answered with the reason, since assistants
 * show answers and keep stderr in a file; the exit code is then 1.
 * @param options replacements for tests; `is_bundle`: run like the bundle in Claude Desktop
 */
export async function stdio(
  flags: Record<string, string>,
  { is_bundle = false, ...options }: Omit<ComposeOptions, 'is_http'> & { is_bundle?: boolean } = {},
): Promise<void> {
  const output = claimStdout();
  const signal = createStopSignal();
  const given = readSettings(flags);
  if ('cause' in given) {
    showError(given.cause);
    const { refuseStdio } = await import('../../transports/mcp/stdio/refuse.js');
    await refuseStdio(toSentence(given.cause), { input: process.stdin, output, signal });
    process.exit(1);
  }
  const { config, tools } = given;

  let starting: Promise<Started> | undefined;
  let exit_code = 0;
  let end: (cause: unknown) => void;
  const ending = new Promise<never>((_resolve, reject) => (end = reject));
  const fail = (cause: unknown) => {
    if (isatty(0)) return end(cause);
    if (exit_code === 0) showError(cause);
    exit_code = 1;
  };
  const start = (): Promise<Started> => {
    stopWaiting();
    starting ??= is_bundle ? openAsBundle(flags, options) : openAlone(config, options);
    starting.catch(fail);
    return starting;
  };
  const input = process.stdin;
  const stopWaiting = startWhenQuiet(input, () => void start());

  const spoken = speakBeforeStart(createOffer(tools, config.read_only), {
    version: readPackage().version,
    start: async () => (await start().catch(refuse)).findService(),
  });
  await Promise.race([speakStdio(spoken, { input, output, signal }), ending]);
  stopWaiting();
  if (starting) {
    const started = starting;
    await closeWithin(CLOSE_MS, async () => (await started.catch(() => undefined))?.close());
  }
  await Promise.race([
    closeWithin(DRAIN_MS, output.drain),
    whenStopped(signal).then(() => closeWithin(CLOSE_MS, output.drain)),
  ]);
  process.exit(exit_code);
}

/** The settings, or their error. On a terminal the error is thrown, since there is no client to answer. */
function readSettings(flags: Record<string, string>) {
  try {
    const config = loadConfig(flags);
    return { config, tools: chooseTools(OFFERED_TOOLS, config).map(({ tool }) => tool) };
  } catch (cause) {
    if (isatty(0)) throw cause;
    return { cause };
  }
}

/** Starts once silence follows the first messages. Returns a function that prevents it. */
function startWhenQuiet(input: Readable, start: () => void): () => void {
  let whenQuiet: NodeJS.Timeout | undefined;
  const wait = () => {
    clearTimeout(whenQuiet);
    // After a stall, timers run before the input that has arrived is read: a second timer lets it in first.
    whenQuiet = setTimeout(() => (whenQuiet = setTimeout(start)), QUIET_MS);
  };
  const stop = () => {
    clearTimeout(whenQuiet);
    input.off('data', wait).off('end', stop);
  };
  input.on('data', wait).on('end', stop);
  return stop;
}

/** The part that answers calls. */
type Started = { findService(): Promise<Service>; close(): Promise<void> };

async function openAlone(config: Config, options: Omit<ComposeOptions, 'is_http'>): Promise<Started> {
  const app = await open(config, { ...options, is_http: false });
  return { findService: () => Promise.resolve(app.service), close: () => app.close() };
}

async function openAsBundle(
  flags: Record<string, string>,
  options: Omit<ComposeOptions, 'is_http'>,
): Promise<Started> {
  const { openBundle } = await import('./bundle.js');
  return openBundle(flags, (config) => open(config, { ...options, is_http: false }));
}

async function open(config: Config, options: ComposeOptions): Promise<App> {
  const { compose } = await import('../../compose.js');
  const app = await compose(config, options);
  await app.core.listings.resume();
  app.core.sweeper.start();
  return app;
}

function showError(cause: unknown): void {
  say(`listing-service: ${toSentence(cause)}`);
}

function refuse(cause: unknown): never {
  throw new ProtocolError(RPC.internal, toSentence(cause));
}

/** Reserves stdout for the protocol: from now on, all other output goes to stderr. */
function claimStdout(): { write(text: string): boolean; drain(): Promise<void> } {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return {
    write: (text) => write(text),
    /**
     * Resolves when everything has been written, or can no longer be: a process that exits discards buffered
     * output.
     */
    drain: () => new Promise((resolve) => write('', () => resolve())),
  };
}
