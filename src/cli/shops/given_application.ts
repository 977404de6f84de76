import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Config } from '../../config.js';
import type { GivenApplication } from '../../core/shops/connecting_application.js';
import { ask, canAsk } from '../ask.js';
import { say } from '../output.js';

/** A keystring may be seen by others on this computer; secrets come from a file, from stdin, from the environment or are asked for. */
export type ApplicationFlags = { keystring?: string; secretFile?: string; webhookSecretFile?: string };

type Sources = {
  flags: ApplicationFlags;
  config: Pick<Config, 'shop_keystring' | 'shop_shared_secret' | 'shop_webhook_secret'>;
  /** Whether the shop cannot be connected without one. */
  isNeeded: () => Promise<boolean>;
  signal: AbortSignal;
};

/** The application that a shop is to be connected with, as a person gives it; undefined where none is given and none is needed. */
export async function readApplication({
  flags,
  config,
  isNeeded,
  signal,
}: Sources): Promise<GivenApplication | undefined> {
  const shared_secret = await readSecret(flags.secretFile, config.shop_shared_secret);
  const webhook_secret = await readSecret(flags.webhookSecretFile, config.shop_webhook_secret);
  const keystring = flags.keystring ?? config.shop_keystring;
  if (keystring !== undefined) return { keystring, shared_secret, webhook_secret };
  if (shared_secret !== undefined || webhook_secret !== undefined) {
    throw new Error('A secret without its keystring: give --keystring, or SHOP_KEYSTRING, as well.');
  }
  if (!(await isNeeded())) return undefined;
  if (!canAsk())
    throw new Error(
      `${NEEDED} Give --keystring and --secret-file, or SHOP_KEYSTRING and SHOP_SHARED_SECRET.`,
    );
  say(`${NEEDED} ${WHERE}`);
  return {
    keystring: await ask('Keystring: ', { signal }),
    shared_secret: await ask('Shared secret (is not shown): ', { signal, is_secret: true }),
    webhook_secret: await ask('Webhook secret, if the application has one (is not shown): ', {
      signal,
      is_secret: true,
    }),
  };
}

const NEEDED = 'The keystring and the shared secret of the shop’s application are needed.';
const WHERE =
  'Both are at etsy.com/developers/your-apps; a shop without an application gets one there as Seller API Access.';

async function readSecret(file: string | undefined, from_environment: string | undefined) {
  if (file === undefined) return from_environment;
  if (file === '-') return (await text(process.stdin)).trim();
  return (await readFile(file, 'utf8')).trim();
}
