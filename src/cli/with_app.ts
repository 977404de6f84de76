import { compose, type App } from '../compose.js';
import { loadConfig } from '../config.js';
import type { Account } from '../core/ports/index.js';

/** Opens the service for one command and closes it. Other processes may run on the same folder. */
export async function withApp(run: (app: App) => Promise<void>): Promise<void> {
  const app = await compose(loadConfig(), { is_http: false });
  try {
    await run(app);
  } finally {
    await app.close();
  }
}

/** By name or id; without either, the default account. Throws if there is none. */
export async function getAccount({ core }: App, name: string | undefined): Promise<Account> {
  const byDefault = await core.accounts.getDefault();
  const found = name === undefined ? byDefault : await core.accounts.find(name);
  if (found) return found;
  throw new Error(`There is no account ${name}. listing-service accounts list shows all accounts.`);
}

/** A one-time address that opens the account's dashboard. */
export async function buildSignInUrl({ core, config }: App, { account_id }: Account): Promise<string> {
  const { token } = await core.sessions.createLink(account_id);
  return `${config.base_url}/dashboard/sign-in?link=${token}`;
}
