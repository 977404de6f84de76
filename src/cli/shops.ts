import { getAccount, withApp } from './with_app.js';
import { print, printJson, say } from './output.js';

type Flags = { account?: string; json?: true };

export async function listShops(flags: Flags): Promise<void> {
  await withApp(async (app) => {
    const { account_id } = await getAccount(app, flags.account);
    await app.prepareShops();
    const connected = await app.core.shops.listConnected(account_id);
    const shops = connected.map(({ shop_id, details, last_synced_at, is_reconnect_required }) => {
      const { shop_name, currency_code } = details;
      return { shop_id, shop_name, currency_code, last_synced_at, is_reconnect_required };
    });
    if (flags.json) {
      printJson({ shops });
      return;
    }
    if (shops.length === 0) say('No shop is connected yet. Connect one with listing-service connect.');
    for (const { shop_id, shop_name, currency_code, last_synced_at, is_reconnect_required } of shops) {
      const state = is_reconnect_required
        ? `must be reconnected: listing-service connect ${shop_id}`
        : `synced ${last_synced_at}`;
      print([shop_id, shop_name, currency_code, state].join('  '));
    }
  });
}

export async function disconnect(text: string, flags: Flags): Promise<void> {
  const shop_id = parseShopId(text);
  await withApp(async (app) => {
    const { account_id } = await getAccount(app, flags.account);
    await app.prepareShops();
    const ended = await app.core.connecting.disconnect({ account_id, shop_id });
    if (flags.json) {
      printJson(ended);
      return;
    }
    const { shop_name, listing_count } = ended;
    const listings = listing_count === 1 ? 'listing that was' : 'listings that were';
    print(`${shop_name} is disconnected: its tokens and the data read from it are deleted.`);
    print(`Kept: ${listing_count} saved ${listings} published there, and all of them on the marketplace.`);
    print(
      'To revoke the permission on the marketplace as well, the shop owner opens Apps in the account settings.',
    );
  });
}

/** Throws an Error if the text is not the id of a shop. */
export function parseShopId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new Error(`A shop_id is a number such as 48213377, not "${text.slice(0, 50)}".`);
}
