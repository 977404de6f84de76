import { join } from 'node:path';
import {
  expectListing,
  expectRefused,
  expectSame,
  expectShopError,
  expectWarned,
  importManual,
  readListing,
} from '../harness/manual.mjs';
import { PHOTO, prepareMug } from '../harness/mug.mjs';
import { FIXTURES } from '../harness/world.mjs';

/* Existing listings are changed: how assistants phrase it wrongly, and what they make of the answer. */

const ON_SALE = { live: 1, saved: 1 };
const PLAIN = { is_plain: true, title: 'Stoneware bowl' };
const PRICES = [20, 21, 22, 20, 21, 22];

export default [
  {
    name: 'after live: a price as text',
    intent: ON_SALE,
    async run({ assistant, world }) {
      const { listing_id, listing_pk } = await importManual({ assistant, world });
      const sku = `MUG-${listing_id}-2`;
      await assistant.persist('listing_update', {
        listing_pk,
        changes: { offerings: [{ sku, price: '24.00' }] },
      });
      await expectListing(world, listing_id, { prices: [20, 24, 22, 20, 21, 22] });
    },
  },
  {
    name: 'after live: the whole listing resent for its title',
    intent: ON_SALE,
    async run({ assistant, world }) {
      const { listing_id, listing_pk } = await importManual({ assistant, world });
      const { request } = await assistant.ask('listing_get', { listing_pk });
      const sku = `MUG-${listing_id}-1`;
      await world.editManually(listing_id, {
        description: 'Dishwasher safe.',
        products: [{ sku, quantity: 4 }],
      });
      const title = 'Stoneware mug, moss';
      const changes = { ...request, listing: { ...request.listing, title } };
      await expectRefused(
        assistant,
        'listing_update',
        { listing_pk, changes },
        'VALIDATION_FAILED',
        'changes.state',
        'listing_publish accepts it',
      );
      delete changes.state;
      const answered = await assistant.ask('listing_update', { listing_pk, changes });
      const { drift } = expectShopError(answered, 'both values');
      expectSame('drift', drift[0].theirs, 'Dishwasher safe.');
      await assistant.ask('listing_update', { listing_pk, changes: { listing: { title } } });
      await expectListing(world, listing_id, {
        title,
        description: 'Dishwasher safe.',
        prices: PRICES,
        stock: [4, 5, 5, 5, 5, 5],
      });
    },
  },
  {
    name: 'after live: a SKU that the listing does not have',
    intent: ON_SALE,
    async run({ assistant, world }) {
      const { listing_id, listing_pk } = await importManual({ assistant, world });
      const offerings = [{ sku: `mug ${listing_id} 6`, price: 30 }];
      await assistant.persist('listing_update', { listing_pk, changes: { offerings } });
      await expectListing(world, listing_id, { prices: [20, 21, 22, 20, 21, 30] });
    },
  },
  {
    name: 'after live: a SKU that appears twice',
    intent: ON_SALE,
    async run({ assistant, world }) {
      const { shop_id, listing_id, listing_pk } = await importManual({ assistant, world });
      const sku = `MUG-${listing_id}-3`;
      await world.editManually(listing_id, { products: [{ sku: `MUG-${listing_id}-6`, sku_new: sku }] });
      await assistant.ask('listing_import', { shop_id, listing_ids: [listing_id] });
      const changes = { offerings: [{ sku, price: 30 }] };
      const names = ['glaze: Moss, size: Large'];
      await assistant.persist('listing_update', { listing_pk, changes }, { names });
      await expectListing(world, listing_id, { prices: [20, 21, 22, 20, 21, 30] });
    },
  },
  {
    name: 'after live: option values that the listing does not have',
    intent: ON_SALE,
    async run({ assistant, world }) {
      const { listing_id, listing_pk } = await importManual({ assistant, world });
      const changes = { offerings: [{ glaze: 'Moss green', size: 'L', price: 30 }] };
      const names = ['glaze: Moss, size: Large'];
      await assistant.persist('listing_update', { listing_pk, changes }, { names });
      await expectListing(world, listing_id, { prices: [20, 21, 22, 20, 21, 30] });
    },
  },
  {
    name: 'after live: fields in the wrong place',
    intent: ON_SALE,
    async run({ assistant, world }) {
      const { listing_id, listing_pk } = await importManual({ assistant, world }, PLAIN);
      await assistant.persist('listing_update', { listing_pk, changes: { title: 'Bowl, moss', price: 24 } });
      await assistant.persist('listing_update', { listing_pk, listing: { description: 'For soup.' } });
      await expectListing(world, listing_id, { title: 'Bowl, moss', prices: [24], description: 'For soup.' });
    },
  },
  {
    name: 'after live: one price for a listing whose sizes have their own',
    intent: ON_SALE,
    async run({ assistant, world }) {
      const { listing_id, listing_pk } = await importManual({ assistant, world });
      const listing = { price: 25 };
      const answered = await assistant.ask('listing_update', { listing_pk, changes: { listing } });
      expectWarned(answered, 'ignored_field', 'changes.offerings');
      await expectListing(world, listing_id, { prices: PRICES });
      const { request } = await assistant.ask('listing_get', { listing_pk });
      const offerings = request.variations.offerings.map(({ sku }) => ({ sku, price: 25 }));
      await assistant.ask('listing_update', { listing_pk, changes: { offerings } });
      await expectListing(world, listing_id, { prices: PRICES.map(() => 25) });
    },
  },
  {
    name: 'after live: changes in a string',
    intent: ON_SALE,
    async run({ assistant, world }) {
      const { listing_id, listing_pk } = await importManual({ assistant, world }, PLAIN);
      const changes = JSON.stringify({ listing: { title: 'Bowl, sand' }, offerings: [{ price: 26 }] });
      await assistant.ask('listing_update', { listing_pk, changes });
      await expectListing(world, listing_id, { title: 'Bowl, sand', prices: [26] });
    },
  },
  {
    name: "after live: the marketplace's id in place of ours",
    intent: { ...ON_SALE, live: 2, saved: 2 },
    async run({ assistant, world }) {
      const other = await importManual({ assistant, world });
      const { listing_id } = await importManual({ assistant, world }, PLAIN);
      const changes = { offerings: [{ price: 27 }] };
      const { message } = await expectRefused(
        assistant,
        'listing_update',
        { listing_pk: listing_id, changes },
        'LISTING_NOT_FOUND',
        'its listing_pk here is',
      );
      const [, listing_pk] = /its listing_pk here is (\d+)/.exec(message);
      await assistant.ask('listing_update', { listing_pk: Number(listing_pk), changes });
      await expectListing(world, listing_id, { prices: [27] });
      await expectListing(world, other.listing_id, { prices: PRICES });
    },
  },
  {
    name: 'after live: dry_run under other names',
    intent: ON_SALE,
    async run({ assistant, world }) {
      const { listing_id, listing_pk } = await importManual({ assistant, world }, PLAIN);
      const change = { listing: { title: 'Bowl, too soon' } };
      for (const input of [
        { listing_pk, changes: change, dryRun: true },
        { listing_pk, changes: { ...change, dry_run: true } },
        { listing_pk, changes: change, dry_run: 'true' },
      ]) {
        const { status } = await assistant.persist('listing_update', input);
        expectSame('status', status, 'valid');
      }
      await expectListing(world, listing_id, { title: PLAIN.title });
    },
  },
  {
    name: 'after live: no dry run beforehand, and an undo',
    intent: ON_SALE,
    async run({ assistant, world }) {
      const { listing_id, listing_pk } = await importManual({ assistant, world });
      const before = await readListing(world, listing_id);
      const { url } = await assistant.ask('file_upload', { path: PHOTO });
      const answered = await assistant.ask('listing_update', { listing_pk, changes: { images: [{ url }] } });
      expectWarned(answered, 'is_lost', '3 photos', 'listing_undo');
      await assistant.ask('listing_undo', { listing_pk });
      expectSame('the listing', await readListing(world, listing_id), before);
    },
  },
  {
    name: 'after live: a new photo among the others, with a url that has expired',
    intent: ON_SALE,
    async run({ assistant, world }) {
      const { listing_id, listing_pk } = await importManual({ assistant, world });
      const { photos } = await readListing(world, listing_id);
      const { url } = await assistant.ask('file_upload', { path: join(FIXTURES, 'mug-front.jpg') });
      const lost = await assistant.ask('listing_update', {
        listing_pk,
        changes: { images: [{ url }] },
        dry_run: true,
      });
      expectWarned(lost, 'is_lost', '3 photos');
      const { request } = await assistant.ask('listing_get', { listing_pk });
      const gone = url.replace(/\w{6}(?=\/)/, 'gone00');
      // The last becomes the first, and the new one the second.
      const own = request.images.map((image) => ({ ...image }));
      const images = [own.at(-1), { url: gone, alt_text: 'From the front' }, ...own.slice(0, -1)];
      const files = { 'changes.images[1].url': PHOTO };
      await assistant.persist('listing_update', { listing_pk, changes: { images } }, { files });
      const order = [photos[2], 'From the front', photos[0], photos[1]];
      await expectListing(world, listing_id, { photos: order });
    },
  },
  {
    name: 'after live: photos as bare urls, in another order',
    intent: ON_SALE,
    async run({ assistant, world }) {
      const { listing_id, listing_pk } = await importManual({ assistant, world });
      const { photos } = await readListing(world, listing_id);
      const { request } = await assistant.ask('listing_get', { listing_pk });
      const images = request.images.map(({ url }) => url).reverse();
      await assistant.persist('listing_update', { listing_pk, changes: { images } });
      await expectListing(world, listing_id, { photos: photos.toReversed() });
    },
  },
  {
    name: 'after live: a change while another one is running',
    intent: ON_SALE,
    async run({ assistant, world }) {
      const { listing_id, listing_pk } = await importManual({ assistant, world }, PLAIN);
      await world.addFault({ operation: 'updateListing', times: 1, action: { type: 'slow', ms: 2_000 } });
      const title = 'Bowl, new';
      const first = assistant.ask('listing_update', { listing_pk, changes: { listing: { title } } });
      await world.pause(500);
      const input = { listing_pk, changes: { offerings: [{ price: 28 }] } };
      const { message } = await expectRefused(
        assistant,
        'listing_update',
        input,
        'LISTING_BUSY',
        'listing_create_status',
      );
      const [job_id] = /job_\w+/.exec(message);
      for (let status = 'processing'; status === 'processing'; await world.pause(100)) {
        ({ status } = await assistant.ask('listing_create_status', { job_id }));
      }
      await assistant.ask('listing_update', input);
      await first;
      await expectListing(world, listing_id, { title, prices: [28] });
    },
  },
  {
    name: 'after live: gives up on a change and sends it again',
    intent: ON_SALE,
    async run({ assistant, world }) {
      const { listing_id, listing_pk } = await importManual({ assistant, world }, PLAIN);
      await world.addFault({ operation: 'updateListing', times: 1, action: { type: 'slow', ms: 2_000 } });
      const input = { listing_pk, changes: { listing: { title: 'Bowl, new' } } };
      const first = await assistant.call('listing_update', input, { patience_ms: 500 });
      expectSame('gave up', first.gave_up, true);
      await assistant.ask('listing_update', input);
      const { results } = await assistant.ask('listing_update', input);
      expectSame('status', results[0].status, 'unchanged');
      await assistant.ask('listing_undo', { listing_pk });
      await expectListing(world, listing_id, { title: PLAIN.title });
    },
  },
  {
    name: 'after live: undo twice',
    intent: ON_SALE,
    async run({ assistant, world }) {
      const { listing_id, listing_pk } = await importManual({ assistant, world });
      const before = await readListing(world, listing_id);
      const offerings = [{ sku: `MUG-${listing_id}-1`, price: 99 }];
      await assistant.ask('listing_update', { listing_pk, changes: { offerings } });
      await assistant.ask('listing_undo', { listing_pk });
      const again = await assistant.ask('listing_undo', { listing_pk, dry_run: true });
      expectWarned(again, 'redone', 'redoes the change');
      const done = await assistant.ask('listing_undo', { listing_pk });
      expectWarned(done, 'redone', 'redoes the change', 'call listing_undo again');
      await assistant.ask('listing_undo', { listing_pk });
      expectSame('the listing', await readListing(world, listing_id), before);
    },
  },
  {
    name: 'after live: undo of an edit made on Etsy',
    intent: ON_SALE,
    async run({ assistant, world }) {
      const { listing_id, listing_pk } = await importManual({ assistant, world }, PLAIN);
      await world.editManually(listing_id, { title: 'Bowl, by hand' });
      const { hint } = await expectRefused(assistant, 'listing_undo', { listing_pk }, 'NOTHING_TO_UNDO');
      expectSame('hint', hint.includes('listing_get'), true);
      await expectListing(world, listing_id, { title: 'Bowl, by hand' });
    },
  },
  {
    name: 'after live: undo after the seller has changed the same field',
    intent: ON_SALE,
    async run({ assistant, world }) {
      const { listing_id, listing_pk } = await importManual({ assistant, world }, PLAIN);
      const changes = { listing: { title: 'Bowl, new', description: 'New.' } };
      await assistant.ask('listing_update', { listing_pk, changes });
      await world.editManually(listing_id, { title: 'Bowl, by hand' });
      await assistant.ask('listing_undo', { listing_pk });
      await expectListing(world, listing_id, { title: 'Bowl, by hand' });
    },
  },
  {
    name: 'after live: edited on Etsy in the meantime, and the seller says no, then yes',
    intent: ON_SALE,
    async run({ assistant, world }) {
      const { listing_id, listing_pk } = await importManual({ assistant, world }, PLAIN);
      await world.editManually(listing_id, { title: 'Bowl, by hand' });
      const input = { listing_pk, changes: { listing: { title: 'Bowl, by assistant' } } };
      const { drift } = expectShopError(await assistant.ask('listing_update', input), 'Show the seller both');
      const both = { field: 'listing.title', ours: PLAIN.title, theirs: 'Bowl, by hand' };
      expectSame('drift', drift, [both]);
      expectShopError(
        await assistant.ask('listing_update', input),
        'if the seller agrees',
        'set on_drift to overwrite',
      );
      await expectListing(world, listing_id, { title: 'Bowl, by hand' });
      const done = await assistant.ask('listing_update', { ...input, on_drift: 'overwrite' });
      expectWarned(done, 'overwritten', 'Bowl, by hand');
      await expectListing(world, listing_id, { title: 'Bowl, by assistant' });
    },
  },
  {
    name: 'after live: a draft is corrected, not created again',
    intent: { saved: 1, live: 1, fees: 1 },
    async run({ assistant }) {
      const { images, ...request } = await prepareMug(assistant, { state: 'draft' });
      const { listing_pk } = await assistant.ask('listing_create', request);
      const publishing = { listing_pk, state: 'active' };
      await expectRefused(
        assistant,
        'listing_publish',
        publishing,
        'VALIDATION_FAILED',
        'images: is required',
        'listing_update',
      );
      await assistant.ask('listing_update', { listing_pk, changes: { images } });
      await assistant.ask('listing_publish', publishing);
    },
  },
];
