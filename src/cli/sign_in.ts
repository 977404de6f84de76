import { compose } from '../compose.js';
import { loadConfig } from '../config.js';
import { print, say } from './output.js';
import { buildSignInUrl } from './sign_in_url.js';

/** For whoever may use this computer's account anyway: a way into the dashboard without a key. */
export async function signIn(): Promise<void> {
  const app = await compose(loadConfig(), { is_http: false });
  try {
    print(await buildSignInUrl(app));
    say('It works once, within 15 minutes, while listing-service serve runs.');
  } finally {
    await app.close();
  }
}
