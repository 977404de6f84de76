import type { App } from '../../compose.js';
import type { Account } from '../../core/ports/index.js';

/** A one-time address that opens the account's dashboard. */
export async function buildSignInUrl({ core, config }: App, { account_id }: Account): Promise<string> {
  const { token } = await core.sessions.createLink(account_id);
  return `${config.base_url}/dashboard/sign-in?link=${token}`;
}
