import { print, say } from '../output.js';
import { buildSignInUrl } from './sign_in_url.js';
import { getAccount, withApp } from '../with_app.js';

/** Prints a link that opens the dashboard without a key. A person who can run this command can use the data folder anyway. */
export async function signIn(flags: { account?: string }): Promise<void> {
  await withApp(async (app) => {
    print(await buildSignInUrl(app, await getAccount(app, flags.account)));
    say('It works once, within 15 minutes, while listing-service serve runs.');
  });
}
