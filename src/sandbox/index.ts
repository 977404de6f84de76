import { systemPorts } from './ports.js';
import { startServer } from './server.js';
import type { Sandbox, SandboxOptions } from './server.js';
import { SANDBOX_APP as APP, SANDBOX_SHOPS as SHOPS } from './world/shops.js';

export type { Sandbox, SandboxOptions } from './server.js';
export { createSandboxHandler, type SandboxHandler } from './in_process.js';
export { copyDatabase as copySandbox } from './store/database.js';
export type { TokenPair } from './store/tokens.js';

/** Starts the embedded marketplace. */
export function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  return startServer(options, systemPorts);
}

/** The credentials of the sandbox's built-in application; they are made up. */
export const SANDBOX_APP: { keystring: string; shared_secret: string } = APP;

/** The shops whose owners can give a grant. */
export const SANDBOX_SHOPS: readonly { shop_id: number; user_id: number; shop_name: string }[] = SHOPS.map(
  ({ shop_id, user_id, shop_name }) => ({ shop_id, user_id, shop_name }),
);
