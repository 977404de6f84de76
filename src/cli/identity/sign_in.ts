import { print, say } from '../output.js';
import { buildSignInUrl } from './sign_in_url.js';
import { getAccount, withApp } from '../with_app.js';

/** For whoever may use this computer's account anyway: a way into the dashboard without a key. */
export async function signIn(flags: { account?: string }): Promise<void> {
  await withApp(async (app) => {
    print(await buildSignInUrl(app, await getAccount(app, flags.account)));
    say('It works once, within 15 minutes, while listing-service serve runs.');
  });
}
