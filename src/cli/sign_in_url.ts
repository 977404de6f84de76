import type { App } from '../compose.js';

/** A one-time address that opens the dashboard of the default account. */
export async function buildSignInUrl({ core, config }: App): Promise<string> {
  const { account_id } = await core.accounts.getDefault();
  const { token } = await core.sessions.createLink(account_id);
  return `${config.base_url}/dashboard/sign-in?link=${token}`;
}
