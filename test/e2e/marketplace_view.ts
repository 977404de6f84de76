import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { ALL_SCOPES, KEY, send } from '../sandbox/harness.js';
import { SANDBOX_SHOPS, startSandbox } from '../../src/sandbox/index.js';

/** A listing in its shop. */
export type Place = { shop_id: number; listing_id: number };

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The marketplace's data about listings, as the shop's owner reads it with another program. */
export type MarketplaceView = {
  /** All possible reads of a listing, and a hash of each photo. */
  readAll(place: Place): Promise<Record<string, Json>>;
  /** Deletes it there as the shop's owner. */
  remove(place: Place): Promise<void>;
  close(): Promise<void>;
};

const INCLUDES = 'Images,Shop,User,Translations,Videos,Personalization,BuyerPrice';

export async function openMarketplaceView(data_dir: string): Promise<MarketplaceView> {
  const sandbox = await startSandbox({
    database_file: join(data_dir, 'sandbox.db'),
    rate_per_second: 10_000,
    rate_per_day: 1_000_000,
  });
  const openShop = (shop_id: number) => {
    const owner = SANDBOX_SHOPS.find((shop) => shop.shop_id === shop_id);
    const { access_token } = sandbox.issueGrant(owner?.user_id ?? 0, ALL_SCOPES);
    const headers = { 'x-api-key': KEY, authorization: `Bearer ${access_token}` };
    return (method: string, path: string) =>
      send(`${sandbox.url}/v3/application${path}`, method, { headers });
  };

  return {
    async readAll({ shop_id, listing_id }) {
      const ask = openShop(shop_id);
      const read = async (path: string): Promise<Json> => {
        const { status, body } = await ask('GET', path);
        if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
        return body as Json;
      };
      const listing = `/listings/${listing_id}`;
      const in_shop = `/shops/${shop_id}${listing}`;
      // First of all, because the photos are in other answers too.
      const images = await readMeasured(read, `${listing}/images`);
      const fields = await read(`${listing}?includes=${INCLUDES}&buyer_country=US`);
      const { state } = fields as { state: string };
      const listed = (await read(
        `/shops/${shop_id}/listings?state=${state}&limit=100&includes=${INCLUDES},Shipping,Inventory`,
      )) as unknown as { results: ({ listing_id: number } & { [name: string]: Json })[] };
      const { results } = images as unknown as { results: { url_fullxfull: string }[] };
      const photos: string[] = [];
      for (const { url_fullxfull } of results) {
        const bytes = await (await fetch(url_fullxfull)).arrayBuffer();
        photos.push(createHash('sha256').update(Buffer.from(bytes)).digest('hex'));
      }
      return {
        fields,
        listed: listed.results.find((one) => one.listing_id === listing_id) ?? null,
        inventory: await read(`${listing}/inventory`),
        properties: await read(`${in_shop}/properties`),
        variation_images: await read(`${in_shop}/variation-images`),
        images,
        photos,
        videos: await read(`${listing}/videos`),
        files: await read(`${in_shop}/files`),
      };
    },
    async remove({ shop_id, listing_id }) {
      const { status } = await openShop(shop_id)('DELETE', `/listings/${listing_id}`);
      if (status !== 204) throw new Error(`not deleted: ${status}`);
    },
    close: () => sandbox.close(),
  };
}

/** Sizes and colors of a new photo are available some seconds later. */
async function readMeasured(read: (path: string) => Promise<Json>, path: string): Promise<Json> {
  for (;;) {
    const images = await read(path);
    const { results } = images as unknown as { results: { full_width: number | null }[] };
    if (results.every(({ full_width }) => full_width !== null)) return images;
    await new Promise((done) => setTimeout(done, 100));
  }
}

/** Unchanged except for ids and times that the marketplace changes itself with each write. */
export function leaveOut(names: ReadonlySet<string>, answered: Json): Json {
  if (Array.isArray(answered)) return answered.map((entry) => leaveOut(names, entry));
  if (answered === null || typeof answered !== 'object') return answered;
  return Object.fromEntries(
    Object.entries(answered)
      .filter(([name]) => !names.has(name))
      .map(([name, value]) => [name, leaveOut(names, value)]),
  );
}
