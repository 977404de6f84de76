import { PHOTO, prepareMug } from '../harness/mug.mjs';

/* A first request with a mistake, and an assistant that fixes it by following the error. */

const LIVE_ONCE = { live: 1, fees: 1, saved: 1 };

export default [
  {
    name: 'numbers as text, a list as text',
    intent: LIVE_ONCE,
    async run({ assistant }) {
      const request = await prepareMug(assistant);
      const [target] = request.shops;
      await assistant.persist('listing_create', {
        ...request,
        shops: [{ ...target, shop_id: String(target.shop_id) }],
        listing: {
          ...request.listing,
          price: '24.50',
          quantity: '4',
          is_supply: 'false',
          tags: 'mug, stoneware',
        },
      });
    },
  },
  {
    name: 'fields that were forgotten',
    intent: LIVE_ONCE,
    async run({ assistant }) {
      const request = await prepareMug(assistant);
      const { quantity, is_supply: _, ...listing } = request.listing;
      const { images, ...rest } = request;
      const bare = { ...rest, shops: [{ shop_id: request.shops[0].shop_id }], listing };
      const fields = { images, 'listing.quantity': quantity };
      delete bare.listing.quantity;
      const answer = await assistant.persist('listing_create', bare, { fields, names: ['Heavy parcel'] });
      const { names } = await assistant.ask('listing_get', { listing_pk: answer.listing_pk });
      if (names['shops[0].shipping_profile_id'] !== 'Heavy parcel')
        throw new Error('not what the seller named');
    },
  },
  {
    name: 'a shop that is not connected',
    intent: LIVE_ONCE,
    async run({ assistant }) {
      const request = await prepareMug(assistant, { shops: 2 });
      const shops = [{ ...request.shops[1], shop_id: 12345 }];
      await assistant.persist('listing_create', { ...request, shops }, { names: ['NordLinen'] });
    },
  },
  {
    name: 'ids of another shop',
    intent: LIVE_ONCE,
    async run({ assistant }) {
      const request = await prepareMug(assistant, { shops: 2 });
      const [clay, linen] = request.shops;
      const shops = [{ ...linen, shop_id: clay.shop_id }];
      await assistant.persist('listing_create', { ...request, shops }, { names: ['Small parcel'] });
    },
  },
  {
    name: 'a section that does not exist',
    intent: LIVE_ONCE,
    async run({ assistant }) {
      const request = await prepareMug(assistant);
      const shops = [{ ...request.shops[0], shop_section_id: 7 }];
      const answer = await assistant.persist(
        'listing_create',
        { ...request, shops },
        { names: ['Gift Sets'] },
      );
      const { names } = await assistant.ask('listing_get', { listing_pk: answer.listing_pk });
      if (names['shops[0].shop_section_id'] !== 'Gift Sets')
        throw new Error('not the section that was named');
    },
  },
  {
    name: 'a category that does not exist',
    intent: LIVE_ONCE,
    async run({ assistant }) {
      const request = await prepareMug(assistant);
      const listing = { ...request.listing, taxonomy_id: 99_999_999 };
      await assistant.persist('listing_create', { ...request, listing });
    },
  },
  {
    name: 'words and values that Etsy refuses',
    intent: LIVE_ONCE,
    async run({ assistant }) {
      const request = await prepareMug(assistant);
      const listing = {
        ...request.listing,
        title: `${request.listing.title} ${'x'.repeat(140)}`,
        who_made: 'I did',
        tags: ['mug_handmade', 'a tag that has far more than twenty characters'],
      };
      await assistant.persist('listing_create', { ...request, listing });
    },
  },
  {
    name: 'a photo from an earlier conversation',
    intent: LIVE_ONCE,
    async run({ assistant }) {
      const request = await prepareMug(assistant);
      const [{ url }] = request.images;
      const gone = url.replace(/\w{6}(?=\/)/, 'gone00');
      const files = { 'images[0].url': PHOTO };
      await assistant.persist('listing_create', { ...request, images: [{ url: gone }] }, { files });
    },
  },
];
