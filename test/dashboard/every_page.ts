import { readFile } from 'node:fs/promises';
import { fixturePath } from '../service.js';
import { buildMugRequest, type Scene } from './scene.js';
import { rewriteShops } from './shop_words.js';

/** None of these texts may have any effect. */
const HOSTILE = '&lt;img src=x onerror=alert(1)&gt; \u202egnp.exe "&amp;" </p><b>';
/** A text without a place to break, as long as a title may be. */
export const UNBROKEN = 'W'.repeat(140);
const LONG_LISTING = { tags: ['W'.repeat(20)], materials: ['W'.repeat(45)], description: UNBROKEN };
const LONG_PARTS = {
  variations: {
    properties: [{ property_id: 513, name: 'W'.repeat(45), values: ['W'.repeat(45), 'M'.repeat(45)] }],
    offerings: [
      { ['W'.repeat(45)]: 'W'.repeat(45), price: 19, quantity: 5, sku: 'W'.repeat(32) },
      { ['W'.repeat(45)]: 'M'.repeat(45), price: 19, quantity: 5, sku: 'M'.repeat(32) },
    ],
  },
  personalization: { enabled: true, is_required: false, instructions: 'w'.repeat(120), max_chars: 3 },
};

/** Every text of the shops, and a file's name. */
export async function fillWithLongTexts(scene: Scene): Promise<void> {
  rewriteShops(scene.sandbox_file, () => UNBROKEN);
  const { stores } = await scene.assist<{ stores: { shop_id: string }[] }>('stores_list');
  for (const { shop_id } of stores) await scene.assist('store_sync', { shop_id: Number(shop_id) });
  const file = (await readFile(fixturePath('mug-front.jpg'))).toString('base64');
  await scene.assist('file_upload', { file, filename: `${UNBROKEN}.jpg` });
  await scene.assist('webhook_endpoint_set', { url: `http://127.0.0.1:9/${UNBROKEN}` });
}

/**
 * The path of one page of each kind, and of the listing page in each state.
 * @param long is appended to each title and fills the other texts
 */
export async function listPages(scene: Scene, long = ''): Promise<string[]> {
  const create = async (name: string, more: object = {}) => {
    const title = long === '' ? name : `${name.replaceAll(' ', '')}${long}`.slice(0, 140);
    const request = await buildMugRequest(scene, title, { ...(long !== '' && LONG_PARTS), ...more });
    if (long !== '') Object.assign(request.listing, LONG_LISTING);
    const { listing_pk } = await scene.assist<{ listing_pk: number }>('listing_create', request);
    return `/dashboard/listings/${listing_pk}`;
  };
  const { listing } = await buildMugRequest(scene, 'Mug with hostile words');
  const draft = await create('A draft', { listing: { ...listing, description: HOSTILE } });
  const published = await create('On the marketplace', { state: 'publish' });
  const live = await create('Live', { state: 'active' });
  const bare = await create('Without photos', { images: undefined });
  const off_sale = await create('Off sale', { state: 'active' });
  await scene.assist('listing_publish', {
    listing_pk: Number(off_sale.split('/').at(-1)),
    state: 'inactive',
  });
  const changes = await listChangePages(scene, Number(live.split('/').at(-1)));
  await scene.control('POST', '/faults', {
    rules: [
      {
        operation: 'createDraftListing',
        action: { type: 'status', status: 400, body: { error: `No ${HOSTILE}` } },
      },
    ],
  });
  const failed = await create('Unfinished', { state: 'publish' });
  return [
    '/dashboard',
    '/dashboard/listings',
    draft,
    published,
    live,
    failed,
    ...(await listOtherPages(scene)),
    ...changes,
    `${draft}/edit`,
    `${live}/edit`,
    `${draft}/put-live`,
    `${draft}/delete`,
    `${live}/off-sale`,
    `${off_sale}/back-on-sale`,
    off_sale,
    '/dashboard/listings?is=shop-inactive&q=sale&sort=title',
    '/dashboard/orders',
    `${failed}/give-up`,
    `${draft}/add-photos`,
    bare,
    `${bare}/put-live`,
    '/dashboard/nothing',
  ];
}

/** Pages of changes of many listings: planned with hostile text, started, and the forms that lead to them. */
async function listChangePages(scene: Scene, listing_pk: number): Promise<string[]> {
  const plan = (edit: object) =>
    scene.assist<{ batch_id: string }>('batch_create', {
      select: { listing_pks: [listing_pk] },
      edits: [edit],
    });
  const planned = await plan({ field: 'description', op: 'append', value: HOSTILE });
  const done = await plan({ field: 'tags', op: 'add', value: ['gift'] });
  await scene.assist('batch_start', { batch_id: done.batch_id });
  const { job_id } = await scene.assist<{ job_id: string }>('listing_update', {
    listing_pk,
    changes: { listing: { title: 'Live again' } },
  });
  const refused = await plan({ field: 'shop_section_id', op: 'set', value: HOSTILE });
  const kinds = 'price stock tags section title profile photos sale renew copy sheet'.split(' ');
  return [
    '/dashboard/changes',
    ...[planned, done, refused].map(({ batch_id }) => `/dashboard/changes/${batch_id}`),
    ...kinds.map((kind) => `/dashboard/changes/new?do=${kind}&listing=${listing_pk}`),
    `/dashboard/changes/jobs/${job_id}`,
    `/dashboard/changes/jobs/${job_id}/undo`,
    '/dashboard/changes/new?do=price',
    '/dashboard/changes/sheet',
  ];
}

/** Pages of shops, uploads, webhooks and access, with some content on each. */
async function listOtherPages(scene: Scene): Promise<string[]> {
  const [store] = (await scene.assist<{ stores: { shop_id: string }[] }>('stores_list')).stores;
  await scene.assist('webhook_endpoint_set', { url: 'http://127.0.0.1:9/hooks' });
  const { delivery_id } = await scene.assist<{ delivery_id: number }>('webhook_test');
  return [
    '/dashboard/shops',
    '/dashboard/bring-in',
    `/dashboard/shops/${store?.shop_id}`,
    `/dashboard/shops/${store?.shop_id}/disconnect`,
    `/dashboard/shops/${store?.shop_id}/bring-in`,
    '/dashboard/uploads',
    '/dashboard/webhooks',
    '/dashboard/webhooks?status=pending',
    '/dashboard/webhooks/destination',
    '/dashboard/webhooks/secret',
    '/dashboard/webhooks/remove',
    `/dashboard/webhooks/deliveries/${delivery_id}`,
    '/dashboard/access',
    '/dashboard/settings',
  ];
}
