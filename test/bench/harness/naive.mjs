import { openAsBlob } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * The program that a reader of the marketplace's documentation would write first: one call after another,
 * shop by shop, with a pause when an answer asks for one. Nothing is checked beforehand, and nothing is safe
 * against a crash or a lost answer.
 */

/**
 * @param {{ url: string, api_key: string }} marketplace
 * @param {object[]} shops
 * @param {{ listing: object, photos: string[], extras?: object }} product
 */
export async function publishInTurn({ url, api_key }, shops, { listing, photos, extras }) {
  for (const shop of shops) await publishInShop(shop);

  async function publishInShop(shop) {
    const own = `/shops/${shop.shop_id}/listings`;
    const { listing_id } = await send(shop, 'POST', own, {
      form: {
        ...listing,
        type: 'physical',
        shipping_profile_id: shop.shipping_profile_id,
        return_policy_id: shop.return_policy_id,
        readiness_state_id: shop.processing_profile_id,
      },
    });
    const images = [];
    for (const [index, path] of photos.entries()) {
      images.push(await send(shop, 'POST', `${own}/${listing_id}/images`, { rank: index + 1, image: path }));
    }
    if (extras) await addExtras(shop, `${own}/${listing_id}`, listing_id, images);
    await send(shop, 'GET', `/listings/${listing_id}?includes=Images`);
  }

  async function addExtras(shop, own, listing_id, images) {
    const { video, attributes, property, values } = extras;
    await send(shop, 'POST', `${own}/videos`, { name: 'clip.mp4', video });
    for (const { property_id, value_id, value } of attributes) {
      await send(shop, 'PUT', `${own}/properties/${property_id}`, {
        form: { value_ids: value_id, values: value },
      });
    }
    const { price, quantity } = listing;
    await send(shop, 'PUT', `/listings/${listing_id}/inventory`, {
      json: {
        products: values.map((value) => ({
          sku: '',
          property_values: [{ ...property, scale_id: null, value_ids: [], values: [value] }],
          offerings: [{ price, quantity, is_enabled: true, readiness_state_id: shop.processing_profile_id }],
        })),
        price_on_property: [],
        quantity_on_property: [],
        sku_on_property: [],
        readiness_state_on_property: [],
      },
    });
    const { products } = await send(shop, 'GET', `/listings/${listing_id}/inventory`);
    const variation_images = products.map(({ property_values: [{ property_id, value_ids }] }, index) => ({
      property_id,
      value_id: value_ids[0],
      image_id: images[index].listing_image_id,
    }));
    await send(shop, 'POST', `${own}/variation-images`, { json: { variation_images } });
  }

  async function send({ token }, method, path, { form, json, ...parts } = {}) {
    for (;;) {
      const options = {
        method,
        headers: {
          'x-api-key': api_key,
          authorization: `Bearer ${token}`,
          ...(json && { 'content-type': 'application/json' }),
        },
        body: await buildBody(form, json, parts),
      };
      const answer = await fetch(`${url}/v3/application${path}`, options);
      const text = await answer.text();
      if (answer.status === 429) {
        await sleep(1_000 * Number(answer.headers.get('retry-after')));
        continue;
      }
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
      return JSON.parse(text);
    }
  }
}

async function buildBody(form, json, { image, video, ...fields }) {
  if (json) return JSON.stringify(json);
  if (form) return new URLSearchParams(Object.entries(form).map(([name, value]) => [name, String(value)]));
  const path = image ?? video;
  if (path === undefined) return undefined;
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, String(value));
  const name = image ? 'image' : 'video';
  body.append(name, await openAsBlob(path, { type: image ? 'image/jpeg' : 'video/mp4' }), name);
  return body;
}
