import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { letIn } from '../let_in.js';
import { buildMug, CLAY, fixturePath, LINEN, listTargets } from '../service.js';
import { rewriteShops } from './shop_words.js';
import type { TestDashboard } from './visitor.js';

/** Closes an attribute and a tag, opens elements, and has an entity and a template. */
export const spoil = (name: string) => `${name}"'><x-bad onclick=a><script>b</script>&amp;{{7*7}}`;
/** The same for names of options, addresses and file names: short, without spaces and slashes. */
export const spoilShort = (name: string) => `${name}"'><x-b>&lt;`;
/** Overrides the direction of the text that follows. Only marketplace text can contain it. */
const turn = (name: string) => `${spoil(name)}\u202e`;

type Made = { listing_pk: number; results: { listing_id: number }[] };

const toUploadId = (url: string) => /^service-upload:\/\/(\w+)/.exec(url)?.[1] ?? '';

/** Fills an account with hostile texts. Returns the ids of what it has, by name. */
export async function fillAccount(
  { service, account_id }: TestDashboard,
  receiver_url: string,
): Promise<Record<string, string | number>> {
  const { app, call, control } = service;
  rewriteShops(join(service.data_dir, 'sandbox.db'), spoil);
  const mug = buildMug(await listTargets(service));

  async function upload(filename: string): Promise<string> {
    const file = (await readFile(fixturePath('mug-front.jpg'))).toString('base64');
    const input = { file, filename, type: 'image' };
    return (await call<{ url: string }>('file_upload', input)).url;
  }
  const photo = await upload(spoilShort('file'));
  const unused = await upload(spoilShort('unused'));

  let count = 0;
  const create = (more: object = {}): Promise<Made> =>
    call<Made>('listing_create', {
      ...mug,
      idempotency_key: `made-${(count += 1)}`,
      listing: { ...mug.listing, title: spoil('title'), description: spoil('description') },
      images: [{ url: photo, alt_text: spoil('alt') }],
      variations: {
        properties: [{ property_id: 513, name: spoilShort('option'), values: [spoilShort('value'), 'Oat'] }],
        offerings: [
          { [spoilShort('option')]: spoilShort('value'), price: 19, quantity: 5, sku: spoilShort('sku') },
          { [spoilShort('option')]: 'Oat', price: 24.5, quantity: 2, sku: 'oat' },
        ],
      },
      personalization: { enabled: true, is_required: false, instructions: spoil('question'), max_chars: 3 },
      ...more,
    });
  const draft = await create();
  const live = await create({ state: 'active' });
  const off_sale = await create({ state: 'active' });
  await call('listing_publish', { listing_pk: off_sale.listing_pk, state: 'inactive' });

  const etsy_words = {
    title: spoil('etsy-title'),
    description: turn('etsy-description'),
    tags: [turn('tag')],
    materials: [turn('material')],
  };
  async function makeEdited(more: object): Promise<Made> {
    const edited = await create({ state: 'active' });
    for (const { listing_id } of edited.results) {
      await control('POST', `/listings/${listing_id}/edit`, { title: spoil('etsy-title'), ...more });
    }
    // Reads the listing again, and changes nothing.
    await call('listing_publish', { listing_pk: edited.listing_pk, state: 'active' });
    return edited;
  }
  const edited = await makeEdited(etsy_words);
  const retitled = await makeEdited({});

  const { listing_ids } = await control<{ listing_ids: number[] }>('POST', '/listings', {
    shop_id: CLAY.shop_id,
    count: 2,
    ...etsy_words,
    images: [{ alt_text: turn('etsy-alt') }],
    variations: [{ property_id: 513, name: turn('etsy-option'), values: [turn('etsy-value'), 'Oat'] }],
    variation_images: [],
    personalization: [
      {
        question_text: spoilShort('etsy-question'),
        question_type: 'text_input',
        instructions: turn('etsy-instructions'),
        required: false,
        max_allowed_characters: 20,
      },
    ],
  });
  const imports = await call<{ job_id: string; results: { listing_pk: number }[] }>('listing_import', {
    shop_id: CLAY.shop_id,
    listing_ids: listing_ids.slice(0, 1),
  });

  const plan = ({ listing_pk }: Made, edit: object) =>
    call<{ batch_id: string }>('batch_create', { select: { listing_pks: [listing_pk] }, edits: [edit] });
  const append = { field: 'description', op: 'append', value: spoil('appended') };
  const planned = await plan(live, append);
  const drifted = await plan(edited, { field: 'title', op: 'append', value: ' more' });
  const refused = await plan(live, { field: 'shop_section_id', op: 'set', value: spoil('unknown') });
  const done = await plan(off_sale, append);
  await call('batch_start', { batch_id: done.batch_id });
  const changed = await call<{ job_id: string }>('listing_update', {
    listing_pk: off_sale.listing_pk,
    changes: { listing: { title: spoil('new-title') } },
  });

  const error = spoil('etsy-error');
  const action = { type: 'status', status: 400, body: { error } };
  await control('POST', '/faults', { rules: [{ operation: 'createDraftListing', action }] });
  const failed = await create({ state: 'publish' });
  await control('DELETE', '/faults');

  await control('POST', `/listings/${live.results[0]?.listing_id}/sell`, {
    answer: spoil('buyer-answer'),
    message_from_buyer: spoil('buyer-message'),
    gift_message: spoil('buyer-gift'),
  });
  await vi.waitFor(
    async () => {
      await app.core.orders.polls.pollDue(new AbortController().signal);
      const { items } = await app.core.orders.list(account_id, { limit: 50, offset: 0 });
      expect(items.flatMap((order) => order.items.map(({ listing_pk }) => listing_pk))).toContain(
        live.listing_pk,
      );
    },
    { timeout: 20_000 },
  );

  const address = `${receiver_url}/${spoilShort('address')}?${spoilShort('query')}`;
  await call('webhook_endpoint_set', { url: address });
  const { delivery_id } = await call<{ delivery_id: number }>('webhook_test');
  const { key_id } = await app.core.accounts.createKey(account_id, spoil('key'));
  const { grant_id } = await letIn(app.core, account_id, spoil('assistant'));
  return {
    ...Object.fromEntries(
      Object.entries({ draft, live, off_sale, edited, retitled, failed }).map(([name, made]) => [
        name,
        made.listing_pk,
      ]),
    ),
    imported: imports.results[0]?.listing_pk ?? '',
    ...Object.fromEntries(
      Object.entries({ planned, drifted, refused, done }).map(([name, { batch_id }]) => [name, batch_id]),
    ),
    change: changed.job_id,
    import: imports.job_id,
    clay: CLAY.shop_id,
    linen: LINEN.shop_id,
    photo: toUploadId(photo),
    unused: toUploadId(unused),
    delivery: delivery_id,
    key: key_id,
    grant: grant_id,
    words: encodeURIComponent(spoil('words')),
  };
}
