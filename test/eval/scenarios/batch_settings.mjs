import { join } from 'node:path';
import { expectListing, expectRefused, expectSame, readListing } from '../harness/manual.mjs';
import { FIXTURES } from '../harness/world.mjs';
import {
  carryOut,
  change,
  expectIssue,
  expectShelf,
  listShops,
  pks,
  plan,
  stock,
} from '../harness/shelf.mjs';

/*
 * Settings of many listings in a shop: section, profiles, how they were made, photos, stock, and copies in
 * another shop.
 */

const set = (field, value) => ({ field, op: 'set', value });

async function readFields(world, { listing_id }, ...names) {
  const { fields } = await readListing(world, listing_id);
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

export default [
  {
    name: 'batch: into a section whose name is misspelled',
    intent: { live: 1, saved: 1 },
    async run({ assistant, world }) {
      const { bowl } = await stock({ assistant, world }, { bowl: {} });
      const into = (name) => ({ select: pks(bowl), edits: [set('shop_section_id', name)] });
      const planned = await plan(assistant, into('Bowls'), { changed: 0, refused: 1 });
      expectIssue(planned, 'item_name_unknown', ['edits[0].value', '40118202 ("Bowls & Plates")']);
      await change(assistant, into('bowls & plates'), { changed: 1 });
      const found = await readFields(world, bowl, 'shop_section_id');
      expectSame('section', found, { shop_section_id: 40118202 });
    },
  },
  {
    name: 'batch: into a section that one shop does not have',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const { bowl } = await stock({ assistant, world }, { bowl: {} });
      const { bag } = await stock({ assistant, world }, { bag: {} }, { shop: 1 });
      const edits = [set('shop_section_id', 'Gift Sets')];
      const planned = await plan(assistant, { select: pks(bowl, bag), edits }, { changed: 1, refused: 1 });
      expectIssue(planned, 'item_name_unknown', ['NordLinen', '("Bags")'], bag);
      await carryOut(assistant, planned, { ok: 1, error: 0 });
      const select = { batch_id: planned.batch_id, item_status: 'refused' };
      const again = { select, edits: [set('shop_section_id', 'Bags')] };
      await change(assistant, again, { items: 1, changed: 1 });
      const found = [
        await readFields(world, bowl, 'shop_section_id'),
        await readFields(world, bag, 'shop_section_id'),
      ];
      expectSame('sections', found, [{ shop_section_id: 40118205 }, { shop_section_id: 44902514 }]);
    },
  },
  {
    name: 'batch: the heavy parcel for all, and a return policy by an unknown name',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const { bowl, vase } = await stock({ assistant, world }, { bowl: {}, vase: {} });
      const select = pks(bowl, vase);
      await change(
        assistant,
        { select, edits: [set('shipping_profile_id', 'Heavy parcel')] },
        { changed: 2 },
      );
      const named = { select, edits: [set('return_policy_id', 'No returns')] };
      expectIssue(await plan(assistant, named, { refused: 2 }), 'item_name_unknown', ['1142500102']);
      await change(assistant, { select, edits: [set('return_policy_id', 1142500102)] }, { changed: 2 });
      const found = await readFields(world, vase, 'shipping_profile_id', 'return_policy_id');
      expectSame('profiles', found, { shipping_profile_id: 211740302, return_policy_id: 1142500102 });
    },
  },
  {
    name: 'batch: automatic renewal, and how it was made',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const { bowl, vase } = await stock({ assistant, world }, { bowl: {}, vase: {} });
      const select = pks(bowl, vase);
      const making = { who_made: 'i_did', when_made: '2020_2026' };
      const input = (value) => ({
        select,
        edits: [set('should_auto_renew', 'true'), set('who_when_made', value)],
      });
      const words = ['edits[1].value', 'is_supply'];
      await expectRefused(assistant, 'batch_create', input(making), 'VALIDATION_FAILED', ...words);
      await change(assistant, input({ ...making, is_supply: false }), { changed: 2 });
      const found = await readFields(world, vase, 'should_auto_renew', 'when_made');
      expectSame('fields', found, { should_auto_renew: true, when_made: '2020_2026' });
    },
  },
  {
    name: 'batch: any field, by a patch with the field in the wrong place',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const { bowl, vase } = await stock({ assistant, world }, { bowl: {}, vase: {} });
      const merge = (value) => ({ select: pks(bowl, vase), edits: [{ field: 'any', op: 'merge', value }] });
      const weight = { item_weight: 0.75, item_weight_unit: 'kg' };
      const words = ['edits[0].value.item_weight', 'listing.item_weight'];
      await expectRefused(assistant, 'batch_create', merge(weight), 'VALIDATION_FAILED', ...words);
      await change(assistant, merge({ listing: weight }), { changed: 2 });
      expectSame('weight', await readFields(world, bowl, 'item_weight'), { item_weight: 0.75 });
    },
  },
  {
    name: 'batch: all bowls into the other shop too',
    intent: { live: 2, drafts: 2, saved: 2 },
    async run({ assistant, world }) {
      const { bowl, dish } = await stock({ assistant, world }, { bowl: {}, dish: {} });
      const [, shop_id] = await listShops(assistant);
      const copy = (shops) => ({ select: pks(bowl, dish), edits: [{ field: 'copy', op: 'to', shops }] });
      await expectRefused(
        assistant,
        'batch_create',
        copy([shop_id]),
        'VALIDATION_FAILED',
        'edits[0].shops[0]',
      );
      const short = await plan(assistant, copy([{ shop_id }]), { changed: 0, refused: 2 });
      const item = short.items.find((one) => one.shop_id === String(shop_id));
      const fields = item.issues.map(({ field }) => field).toSorted();
      const missing = ['price', 'shipping_profile_id', 'shop_section_id'].map((name) => `shops[0].${name}`);
      expectSame('missing', fields, missing);
      const target = { shop_id, price: 19, shipping_profile_id: 223915882, shop_section_id: null };
      const done = await change(assistant, copy([target]), { changed: 2 });
      expectSame('warnings', done.warnings, []);
      const { listings } = await world.readState();
      const copies = listings.filter((one) => one.shop_id === shop_id);
      const found = copies.map(({ state, inventory }) => [
        state,
        inventory.products[0].offering.price_amount,
      ]);
      expectSame('copies', found, [
        ['draft', 1900],
        ['draft', 1900],
      ]);
    },
  },
  {
    name: 'batch: a photo of the box after the others, and one removed',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const images = [{ alt_text: 'Front' }, { alt_text: 'Side' }, { alt_text: 'Below' }];
      const made = await stock(
        { assistant, world },
        { bowl: { images }, mug: { images: images.slice(0, 1) } },
      );
      const { url } = await assistant.ask('file_upload', { path: join(FIXTURES, 'mug-front.jpg') });
      const select = pks(made.bowl, made.mug);
      const box = { field: 'images', op: 'append', value: [{ url, alt_text: 'The box' }] };
      await change(assistant, { select, edits: [box] }, { changed: 2 });
      const less = { field: 'images', op: 'remove', value: [3] };
      const planned = await plan(assistant, { select, edits: [less] }, { changed: 1, refused: 1 });
      expectIssue(planned, 'item_rank_unknown', ['no photo 3', 'has 2'], made.mug);
      await carryOut(assistant, planned, { ok: 1 });
      await expectShelf(world, made, {
        bowl: { photos: ['Front', 'Side', 'The box'] },
        mug: { photos: ['Front', 'The box'] },
      });
    },
  },
  {
    name: 'batch: alt texts for the main photos',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const images = [{ alt_text: '' }, { alt_text: 'Side' }];
      const made = await stock({ assistant, world }, { bowl: { images }, dish: { images } });
      const input = (value) => ({
        select: pks(made.bowl, made.dish),
        edits: [{ field: 'images', op: 'set_alt_text', value }],
      });
      const words = ['edits[0].value', '{rank, alt_text}'];
      const wrong = input('A bowl of stoneware');
      await expectRefused(assistant, 'batch_create', wrong, 'VALIDATION_FAILED', ...words);
      await change(assistant, input([{ rank: 1, alt_text: 'A bowl of stoneware' }]), { changed: 2 });
      const photos = ['A bowl of stoneware', 'Side'];
      await expectShelf(world, made, { bowl: { photos }, dish: { photos } });
    },
  },
  {
    name: 'batch: ten more of each, and one is sold before the yes',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: {}, mug: {} });
      const edits = [{ field: 'quantity', op: 'add', value: '10' }];
      const planned = await plan(assistant, { select: pks(made.bowl, made.mug), edits }, { changed: 2 });
      await world.editManually(made.bowl.listing_id, { products: [{ quantity: 3 }] });
      const done = await carryOut(assistant, planned, { ok: 1, error: 1 });
      expectIssue(done, 'DRIFT', ['quantity'], made.bowl);
      const select = { batch_id: planned.batch_id, item_status: 'error' };
      await change(assistant, { select, edits, on_drift: 'overwrite' }, { items: 1, changed: 1 });
      await expectShelf(world, made, { bowl: { stock: [13] }, mug: { stock: [15] } });
    },
  },
  {
    name: 'batch: stock of zero for all of them',
    intent: { saved: 1 },
    async run({ assistant, world }) {
      const { bowl } = await stock({ assistant, world }, { bowl: {} });
      const planned = await plan(
        assistant,
        { select: pks(bowl), edits: [set('quantity', 0)] },
        { refused: 1 },
      );
      expectIssue(planned, 'number_out_of_range', ['quantity', 'inactive']);
      const off = { select: pks(bowl), edits: [{ field: 'state', op: 'inactive' }] };
      await change(assistant, off, { changed: 1 });
      await expectListing(world, bowl.listing_id, { state: 'inactive', stock: [5] });
    },
  },
];
