import {
  expectListing,
  expectRefused,
  expectSame,
  expectShopError,
  expectWarned,
  expectWords,
  importManual,
} from '../harness/manual.mjs';
import { prepareMug } from '../harness/mug.mjs';

/* Listings are found, imported, copied, deactivated and reactivated: how assistants go about it wrongly. */

const ON_SALE = { live: 1, saved: 1 };
const PLAIN = { is_plain: true, title: 'Stoneware bowl' };

async function listShops(assistant) {
  const { stores } = await assistant.ask('stores_list');
  return stores.map(({ shop_id }) => Number(shop_id));
}

export default [
  {
    name: "after live: import of another shop's listing, and of one that does not exist",
    intent: ON_SALE,
    async run({ assistant, world }) {
      const shops = await listShops(assistant);
      const listing_id = await world.makeManually(shops[0], PLAIN);
      const listing_ids = [listing_id, 123];
      const { results } = await assistant.ask('listing_import', { shop_id: shops[1], listing_ids });
      for (const { error } of results) expectWords(error, ['no such listing', 'store_listings']);
      for (const shop_id of shops) {
        const { listings } = await assistant.ask('store_listings', { shop_id, keywords: 'bowl' });
        const ids = listings.map((one) => one.listing_id);
        if (ids.length > 0) await assistant.ask('listing_import', { shop_id, listing_ids: ids });
      }
      const { listings } = await assistant.ask('store_listings', { shop_id: shops[0], keywords: 'bowl' });
      expectSame('listing_pk', typeof listings[0].listing_pk, 'number');
    },
  },
  {
    name: 'after live: a repeated import, and the same id twice',
    intent: ON_SALE,
    async run({ assistant, world }) {
      const { shop_id, listing_id, listing_pk } = await importManual({ assistant, world }, PLAIN);
      await world.editManually(listing_id, { title: 'Bowl, by hand' });
      const listing_ids = [listing_id, listing_id];
      const { results } = await assistant.ask('listing_import', { shop_id, listing_ids });
      const answered = results.map(({ status, title, listing_pk: pk }) => ({ status, title, pk }));
      expectSame('results', answered, [{ status: 'refreshed', title: 'Bowl, by hand', pk: listing_pk }]);
      await expectListing(world, listing_id, { title: 'Bowl, by hand' });
    },
  },
  {
    name: 'after live: search words that match nothing',
    intent: { saved: 1 },
    async run({ assistant, world }) {
      const [shop_id] = await listShops(assistant);
      const listing_id = await world.makeManually(shop_id, { ...PLAIN, state: 'inactive' });
      const search = (input) => assistant.ask('store_listings', { shop_id, ...input });
      const none = await search({ keywords: 'teapot bowl' });
      expectSame('found', [none.total, none.complete], [0, true]);
      const found = [];
      for (const state of ['active', 'inactive', 'sold_out', 'expired']) {
        const { listings } = await search({ keywords: 'bowl', state });
        found.push(...listings.map((one) => one.listing_id));
      }
      expectSame('found', found, [listing_id]);
      await assistant.ask('listing_import', { shop_id, listing_ids: found });
    },
  },
  {
    name: 'after live: copy to a shop that has it',
    intent: { drafts: 1, saved: 1 },
    async run({ assistant, world }) {
      const request = await prepareMug(assistant, { state: 'publish' });
      const { listing_pk, results } = await assistant.ask('listing_create', request);
      const [{ shop_id }] = request.shops;
      const changes = { listing: { price: 31 } };
      const copying = { listing_pk, shops: [{ shop_id }], state: 'publish', changes };
      await expectRefused(assistant, 'listing_copy', copying, 'ALREADY_IN_SHOP', 'listing_update');
      await assistant.ask('listing_update', { listing_pk, changes });
      await expectListing(world, results[0].listing_id, { prices: [31] });
    },
  },
  {
    name: 'after live: copy to a shop with another currency, twice',
    intent: { drafts: 2, saved: 1 },
    async run({ assistant, world }) {
      const request = await prepareMug(assistant, { state: 'publish' });
      const { listing_pk } = await assistant.ask('listing_create', request);
      const [, shop_id] = await listShops(assistant);
      const copying = { listing_pk, shops: [{ shop_id }], state: 'publish' };
      const knowledge = { names: ['Parcel'], fields: { 'shops[0].price': 28 } };
      await expectRefused(assistant, 'listing_copy', copying, 'VALIDATION_FAILED', 'EUR', 'send a price');
      const { results } = await assistant.persist('listing_copy', copying, knowledge);
      await expectListing(world, results[0].listing_id, { prices: [28] });
      await expectRefused(assistant, 'listing_copy', copying, 'ALREADY_IN_SHOP', 'Leave that shop out');
    },
  },
  {
    name: 'after live: all stock to zero, and back',
    intent: ON_SALE,
    async run({ assistant, world }) {
      const { shop_id, listing_id, listing_pk } = await importManual({ assistant, world });
      const skus = [1, 2, 3, 4, 5, 6].map((at) => `MUG-${listing_id}-${at}`);
      const offerings = skus.map((sku) => ({ sku, quantity: 0 }));
      const input = { listing_pk, changes: { offerings } };
      const looked = await assistant.ask('listing_update', { ...input, dry_run: true });
      expectWarned(looked, 'off_sale', 'this shop in shops');
      await assistant.ask('listing_update', input);
      await expectListing(world, listing_id, { state: 'inactive', stock: [5, 5, 5, 5, 5, 5] });
      const back = await assistant.send('listing_publish', { listing_pk, state: 'active', shops: [shop_id] });
      expectSame('status', back.answer?.status, 'completed');
    },
  },
  {
    name: 'after live: stock of zero for a listing without variations',
    intent: { saved: 1 },
    async run({ assistant, world }) {
      const { listing_id, listing_pk } = await importManual({ assistant, world }, PLAIN);
      const input = { listing_pk, changes: { listing: { quantity: 0 } } };
      await expectRefused(
        assistant,
        'listing_update',
        input,
        'VALIDATION_FAILED',
        'listing_publish with state inactive',
      );
      await assistant.ask('listing_publish', { listing_pk, state: 'inactive' });
      await expectListing(world, listing_id, { state: 'inactive' });
    },
  },
  {
    name: 'after live: sold out, and only new stock',
    intent: { ...ON_SALE, fees: 1 },
    async run({ assistant, world }) {
      const { shop_id, listing_id, listing_pk } = await importManual({ assistant, world }, PLAIN);
      await world.editManually(listing_id, { state: 'sold_out' });
      const changes = { offerings: [{ quantity: 7 }] };
      const answered = await assistant.ask('listing_update', { listing_pk, changes });
      expectWarned(answered, 'sold_out', 'listing_publish with state active', 'stock');
      const input = { listing_pk, state: 'active', shops: [shop_id] };
      await expectRefused(assistant, 'listing_publish', input, 'VALIDATION_FAILED', 'stock: is required');
      const asked = await assistant.send('listing_publish', { ...input, stock: 7 });
      expectSame('cost', [asked.answer?.status, asked.answer?.cost_usd], ['confirmation_required', 0.2]);
      const { confirm_token: confirm } = asked.answer;
      await assistant.ask('listing_publish', { ...input, stock: 7, confirm });
      await expectListing(world, listing_id, { state: 'active', stock: [7] });
    },
  },
  {
    name: 'after live: expired, and on sale again after the yes',
    intent: { ...ON_SALE, fees: 1 },
    async run({ assistant, world }) {
      const { shop_id, listing_id, listing_pk } = await importManual({ assistant, world }, PLAIN);
      await world.editManually(listing_id, { state: 'expired' });
      const unnamed = await assistant.ask('listing_publish', { listing_pk, state: 'active' });
      expectWarned(unnamed, 'not_on_sale', 'expired', `${shop_id} in shops`);
      expectWords(unnamed.message, ['do not have the requested state']);
      const input = { listing_pk, state: 'active', shops: [shop_id] };
      const { answer: asked } = await assistant.send('listing_publish', input);
      expectWords(asked.message, ['expired: 0.20 USD']);
      await expectRefused(
        assistant,
        'listing_publish',
        { ...input, confirm: 'yes' },
        'VALIDATION_FAILED',
        'confirm: ',
      );
      await expectListing(world, listing_id, { state: 'expired' });
      const confirmed = { ...input, confirm: asked.confirm_token };
      await assistant.ask('listing_publish', confirmed);
      await assistant.ask('listing_publish', confirmed);
      await expectListing(world, listing_id, { state: 'active' });
    },
  },
  {
    name: 'after live: deactivated and reactivated within four months',
    intent: ON_SALE,
    async run({ assistant, world }) {
      const { shop_id, listing_id, listing_pk } = await importManual({ assistant, world });
      await assistant.ask('listing_publish', { listing_pk, state: 'inactive' });
      await world.advance(30 * 86_400_000);
      const unnamed = await assistant.ask('listing_publish', { listing_pk, state: 'active' });
      expectWarned(unnamed, 'not_on_sale', 'inactive', `${shop_id} in shops`);
      await expectListing(world, listing_id, { state: 'inactive' });
      const input = { listing_pk, state: 'active', shops: [shop_id] };
      const { answer } = await assistant.send('listing_publish', input);
      expectSame('status', [answer?.status, answer?.results[0].activation_cost_usd], ['completed', 0]);
      await expectListing(world, listing_id, { state: 'active', stock: [5, 5, 5, 5, 5, 5] });
    },
  },
  {
    name: 'after live: deactivation by a change of its state',
    intent: { saved: 1 },
    async run({ assistant, world }) {
      const { listing_id, listing_pk } = await importManual({ assistant, world }, PLAIN);
      const listing = { title: 'Bowl, not for now' };
      for (const input of [
        { listing_pk, changes: { state: 'inactive' } },
        { listing_pk, changes: { state: 'inactive', listing } },
        { listing_pk, state: 'inactive', changes: { listing } },
      ]) {
        await expectRefused(
          assistant,
          'listing_update',
          input,
          'VALIDATION_FAILED',
          'listing_publish accepts it, as "state"',
        );
      }
      await assistant.ask('listing_publish', { listing_pk, state: 'inactive' });
      await expectListing(world, listing_id, { state: 'inactive', title: PLAIN.title });
    },
  },
  {
    name: 'after live: deletes a listing that should be deactivated',
    intent: { live: 0, saved: 1, fees: 1 },
    async run({ assistant, world }) {
      const { listing_pk, results } = await assistant.ask('listing_create', await prepareMug(assistant));
      await expectRefused(
        assistant,
        'listing_delete',
        { listing_pk },
        'NOT_DELETABLE',
        'listing_publish with state inactive',
      );
      await assistant.ask('listing_publish', { listing_pk, state: 'inactive' });
      await expectListing(world, results[0].listing_id, { state: 'inactive' });
    },
  },
  {
    name: 'after live: deletes an imported listing that should be deactivated',
    intent: { live: 0, saved: 1 },
    async run({ assistant, world }) {
      const { shop_id, listing_id, listing_pk } = await importManual({ assistant, world }, PLAIN);
      const { message = '' } = await assistant.ask('listing_delete', { listing_pk });
      expectWords(message, ['Forgotten here only', `listing ${listing_id} in shop ${shop_id}`]);
      expectWords(message, ['listing_import', 'state inactive']);
      const again = await assistant.ask('listing_import', { shop_id, listing_ids: [listing_id] });
      const [{ listing_pk: anew }] = again.results;
      await assistant.ask('listing_publish', { listing_pk: anew, state: 'inactive' });
      await expectListing(world, listing_id, { state: 'inactive' });
    },
  },
  {
    name: 'after live: a change for a shop that does not have it',
    intent: ON_SALE,
    async run({ assistant, world }) {
      const { listing_id, listing_pk } = await importManual({ assistant, world }, PLAIN);
      const [, shop_id] = await listShops(assistant);
      const offerings = [{ price: 29 }];
      const input = { listing_pk, changes: { offerings }, shops: [shop_id] };
      await expectRefused(assistant, 'listing_update', input, 'VALIDATION_FAILED', 'listing_copy');
      await assistant.ask('listing_update', { listing_pk, changes: { offerings } });
      await expectListing(world, listing_id, { prices: [29] });
    },
  },
  {
    name: 'after live: a listing that someone deleted on Etsy',
    intent: { saved: 1 },
    async run({ assistant, world }) {
      const { shop_id, listing_id, listing_pk } = await importManual({ assistant, world }, PLAIN);
      await world.editManually(listing_id, { state: 'removed' });
      const answered = await assistant.ask('listing_update', {
        listing_pk,
        changes: { offerings: [{ price: 30 }] },
      });
      expectShopError(answered, 'removed');
      const input = { listing_pk, state: 'active', shops: [shop_id] };
      await expectRefused(assistant, 'listing_publish', input, 'VALIDATION_FAILED', 'listing_create');
      await expectListing(world, listing_id, { state: 'removed', prices: [20] });
    },
  },
];
