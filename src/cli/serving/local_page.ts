import { createHash, randomBytes, randomInt } from 'node:crypto';
import type { App } from '../../compose.js';
import { createSite } from '../../compose/site.js';
import { toBaseUrl } from '../../config.js';
import { createHttpFace, type HttpFace } from '../../transports/index.js';
import { isPortTaken, toListenError } from './listen.js';
import { bindToPort } from '../../transports/connect/known.js';
import { isServedHere } from './served_here.js';

/** The dashboard on this computer, for a seller who has no terminal. */
export type LocalPage = {
  /** The address for a browser. */
  base_url: string;
  /** Whether another process with the same data folder serves it. */
  is_elsewhere: boolean;
  close(): Promise<void>;
};

const CHALLENGE_MS = 60_000;
const QUESTIONS = 20;

/**
 * Serves the dashboard on the configured port. If a process with the same data folder has the port, that one
 * serves it. If another program has it, any free port is used, and the seller pastes the callback address.
 * @param onCodeWanted called when someone opens it without a link
 */
export async function openLocalPage(app: App, onCodeWanted: () => void): Promise<LocalPage> {
  const { config } = app;
  try {
    return toPage(await listen(app, { port: config.port, is_pasted: false, onCodeWanted }), config.base_url);
  } catch (cause) {
    if (!isPortTaken(cause)) throw toListenError(cause, config);
    if (await isSameFolder(app)) {
      return { base_url: config.base_url, is_elsewhere: true, close: () => Promise.resolve() };
    }
    const face = await listen(app, { port: 0, is_pasted: true, onCodeWanted });
    // Browsers send the cookies of localhost to all of its ports, and the callback address leads to the other
    // program's port.
    return toPage(face, toBaseUrl('127.0.0.1', face.port));
  }
}

type Listening = { port: number; is_pasted: boolean; onCodeWanted: () => void };

async function listen(app: App, { port, ...local }: Listening): Promise<HttpFace> {
  const site = await createSite(app, local);
  return createHttpFace(app.service, { ...app.config, port, site });
}

function toPage(face: HttpFace, base_url: string): LocalPage {
  return { base_url, is_elsewhere: false, close: () => face.close(0) };
}

/**
 * Asks about several states, of which about half are in the database: only a process that reads it answers
 * all of them correctly. Any other process would be sent the seller's link. The port is part of each state,
 * so that no program can pass the questions on to a process at another port.
 */
async function isSameFolder(app: App): Promise<boolean> {
  for (let asked = 0; asked < QUESTIONS; asked += 1) {
    const state = randomBytes(32).toString('base64url');
    const isMade = randomInt(2) === 1;
    if (isMade) await makeConnectRequest(app, bindToPort(hash(state), app.config.port));
    if ((await isServedHere(app.config, state)) !== isMade) return false;
  }
  return true;
}

/** A connect request that nobody can complete. */
async function makeConnectRequest({ core, store }: App, state_sha256: string): Promise<void> {
  const { account_id } = await core.accounts.getDefault();
  await store.connect_requests.createConnectRequest({
    account_id,
    state_sha256,
    code_verifier: randomBytes(48).toString('base64url'),
    redirect_uri: core.connecting.redirect_uri,
    keystring: null,
    brought: null,
    shop_id: null,
    browser_sha256: hash(randomBytes(32).toString('base64url')),
    return_path: null,
    life_ms: CHALLENGE_MS,
  });
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
