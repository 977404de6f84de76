import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { compose, type App } from '../compose.js';
import { loadConfig } from '../config.js';
import { ServiceError } from '../core/errors.js';
import type { ConnectOutcome } from '../core/ports/index.js';
import { readConsentAnswer, type ConnectEnd, type ConsentAnswer } from '../core/shops/connecting.js';
import { createConnectFace, type HttpFace } from '../transports/index.js';
import type { GivenApplication } from '../core/shops/connecting_application.js';
import { getAccount } from './with_app.js';
import { choosePort, isPortTaken, toListenError } from './serving/listen.js';
import { openBrowser } from './open_browser.js';
import { print, say } from './output.js';
import { parseShopId } from './shops.js';
import { isServedHere } from './serving/served_here.js';
import { createStopSignal } from './serving/stop_signal.js';

const POLL_MS = 250;

export type ConnectFlags = { account?: string; browser: boolean; paste?: true } & ApplicationFlags;

/**
 * Connects a shop: asks the seller for consent in a browser and waits for the result. Throws an error that
 * says how to fix the problem.
 */
export async function connect(id: string | undefined, flags: ConnectFlags): Promise<void> {
  const shop_id = id === undefined ? undefined : parseShopId(id);
  const signal = createStopSignal();
  const app = await compose(await choosePort(loadConfig()), { is_http: true });
  let face: HttpFace | undefined;
  try {
    const { account_id } = await getAccount(app, flags.account);
    await app.prepareShops();
    const { connecting } = app.core;
    const application = await readApplication({
      flags,
      isNeeded: () => connecting.isApplicationNeeded(account_id, shop_id),
      signal,
    });
    const asked = await connecting
      .begin(account_id, { application, ...(shop_id !== undefined && { shop_id }) })
      .catch(throwRefusal);
    if (!flags.paste) face = await listenForAnswer(app, asked.state);
    print(`Open this page as the owner of the shop, and agree:\n\n${asked.consent_url}\n`);
    if (flags.browser) openBrowser(asked.consent_url);
    if (flags.paste) {
      finish(await connecting.finish(await readPasted(signal)));
    } else {
      say(`Waiting for the browser at ${connecting.redirect_uri} until ${asked.expires_at} ...`);
      say('If the browser cannot open that address: press Ctrl+C, and run connect with --paste.');
      printOutcome(await waitForOutcome(app, asked.state, signal));
    }
  } finally {
    await face?.close(0);
    await app.close();
  }
  process.exit(0);
}

/** The address that the browser was sent to, from the terminal or from stdin. */
async function readPasted(signal: AbortSignal): Promise<ConsentAnswer> {
  const question =
    'After you agree, the browser opens an address with /connect/callback?code= in it. Paste that address here: ';
  const pasted = canAsk() ? await ask(question, { signal }) : await text(process.stdin);
  const answer = readConsentAnswer(pasted, undefined);
  if (answer) return answer;
  throw new Error(
    'This is not the address that the marketplace sent the browser to: that one contains /connect/callback?code=. Run listing-service connect --paste again, and copy the whole address bar.',
  );
}

/**
 * Listens at the redirect URI, to which the seller's browser returns, unless a server of this service already
 * listens there.
 */
async function listenForAnswer({ service, config }: App, state: string): Promise<HttpFace | undefined> {
  try {
    return await createConnectFace(service, config);
  } catch (cause) {
    if (!isPortTaken(cause)) throw toListenError(cause, config);
    if (await isServedHere(config, state)) return undefined;
    throw new Error(
      `Port ${config.port} on ${config.host} is taken by another program, or by a listing-service with another DATA_DIR. ` +
        `Stop it, or change PORT (and the callback address registered at the marketplace).`,
      { cause },
    );
  }
}

/** Polls the database for the outcome, since the seller may return to another process. */
async function waitForOutcome({ core }: App, state: string, signal: AbortSignal): Promise<ConnectOutcome> {
  while (!signal.aborted) {
    const outcome = await core.connecting.findOutcome(state);
    if (outcome) return outcome;
    await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
  throw new Error(
    'Stopped before the seller answered: no shop was connected. Run listing-service connect again.',
  );
}

function throwRefusal(cause: unknown): never {
  throw cause instanceof ServiceError ? new Error(`${cause.message} ${cause.hint}`, { cause }) : cause;
}

function finish({ outcome }: ConnectEnd): void {
  if (!outcome.ok) throwRefusal(outcome.error);
  printOutcome(outcome);
}

function printOutcome(outcome: ConnectOutcome): void {
  if (!outcome.ok) throw new Error(`${outcome.message} ${outcome.hint}`);
  const { shop_id, shop_name, currency_code, is_known } = outcome;
  print(`${shop_name} (${shop_id}, ${currency_code}) is connected${is_known ? ' again' : ''}.`);
}

/** Others on this computer may see a keystring; secrets come from a file, from stdin or a prompt. */
type ApplicationFlags = { keystring?: string; secretFile?: string; webhookSecretFile?: string };

type Sources = {
  flags: ApplicationFlags;
  /** Whether the shop cannot be connected without one. */
  isNeeded: () => Promise<boolean>;
  signal: AbortSignal;
};

/**
 * The application to connect a shop with, as the user provides it; undefined if none is provided and none is
 * needed.
 */
async function readApplication({ flags, isNeeded, signal }: Sources): Promise<GivenApplication | undefined> {
  const shared_secret = await readSecret(flags.secretFile);
  const webhook_secret = await readSecret(flags.webhookSecretFile);
  const { keystring } = flags;
  if (keystring !== undefined) return { keystring, shared_secret, webhook_secret };
  if (shared_secret !== undefined || webhook_secret !== undefined) {
    throw new Error('A secret needs its keystring: add --keystring.');
  }
  if (!(await isNeeded())) return undefined;
  if (!canAsk()) throw new Error(`${NEEDED} Add --keystring and --secret-file.`);
  say(`${NEEDED} ${WHERE}`);
  return {
    keystring: await ask('Keystring: ', { signal }),
    shared_secret: await ask('Shared secret (hidden): ', { signal, is_secret: true }),
    webhook_secret: await ask('Webhook secret, if the application has one (hidden): ', {
      signal,
      is_secret: true,
    }),
  };
}

const NEEDED = "The keystring and shared secret of the shop's application are required.";
const WHERE =
  'Both are at etsy.com/developers/your-apps; a shop without an application can get one there as Seller API Access.';

async function readSecret(file: string | undefined) {
  if (file === undefined) return undefined;
  if (file === '-') return (await text(process.stdin)).trim();
  return (await readFile(file, 'utf8')).trim();
}

/** Whether a person can be asked on the terminal. */
function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/**
 * Asks a person on the terminal, over stderr since stdout may go to a file. Returns the input. `is_secret`:
 * the input is not echoed.
 */
async function ask(
  question: string,
  { signal, is_secret = false }: { signal: AbortSignal; is_secret?: boolean },
): Promise<string> {
  const output = is_secret ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stderr;
  if (is_secret) process.stderr.write(question);
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  // In this mode the terminal passes Ctrl+C on as a character instead of sending SIGINT, so we send the
  // signal.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return (await lines.question(is_secret ? '' : question, { signal })).trim();
  } finally {
    lines.close();
    if (is_secret) process.stderr.write('\n');
  }
}
