import type { ListingJobResult, UpdateResult } from '../../../answers.js';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { StoppedError } from '../../../../src/core/listings/engine/failures.js';
import { startService, upload, type TestService } from '../../../service.js';
import { watchPorts } from '../../../wrapped/ports.js';
import { countCalls, edit, finish, readListings, makeListing, type Made } from './rig.js';

const SETTLE_MS = 1000;
/** The next write of fields ends its job, like a power failure as it is sent. */
let isDeadly = false;
let service: TestService;
beforeAll(async () => {
  service = await startService(
    { MAX_ACTIVATIONS_PER_DAY: 'unlimited', RECONCILE_SETTLE_MS: String(SETTLE_MS) },
    {
      wrapPorts: (ports) =>
        watchPorts(ports, (side, call) => {
          if (!isDeadly || side !== 'before' || call !== 'marketplace.updateListing') return;
          isDeadly = false;
          throw new StoppedError('ended as it was sent');
        }),
    },
  );
});
afterAll(() => service.close());
afterEach(() => service.control('DELETE', '/faults'));

/** Titles in the first shop. */
async function makeOne(more: object = {}): Promise<Made> {
  const { listing_pk, shops } = await makeListing(service, { more });
  return { listing_pk, shops: shops.slice(0, 1) };
}

const update = ({ listing_pk, shops }: Made, changes: object, on_drift = 'refuse') =>
  service.call<UpdateResult>('listing_update', {
    listing_pk,
    changes,
    on_drift,
    shops: shops.map(({ shop_id }) => shop_id),
  });
const undo = ({ listing_pk }: Made) => service.call<UpdateResult>('listing_undo', { listing_pk });
const listCodes = ({ results }: UpdateResult) =>
  results?.map(({ status, details }) => details?.['code'] ?? status);

function buildQuestion(instructions: string): object {
  return {
    question_text: 'Personalization',
    question_type: 'text_input',
    instructions,
    required: false,
    max_allowed_characters: 40,
  };
}

const readQuestion = async (made: Made) =>
  (await readListings(service, made)).flatMap((listing) =>
    ((listing?.personalization ?? []) as { instructions?: string }[]).map(({ instructions }) => instructions),
  );
const readTitles = async (made: Made) =>
  (await readListings(service, made)).map((listing) => listing?.fields.title);

/**
 * Starts an update whose next call of the operation meets the fault, and runs `work` once that call has
 * arrived.
 */
async function updateDuring(
  made: Made,
  changes: object,
  { operation, action }: { operation: string; action: object },
  work: () => Promise<unknown>,
): Promise<UpdateResult> {
  type Counted = { calls: Record<string, number> };
  const count = async () => (await service.control<Counted>('GET', '/state')).calls[operation] ?? 0;
  const before = await count();
  await service.control('POST', '/faults', { rules: [{ operation, times: 1, action }] });
  const result = update(made, changes);
  await expect.poll(count, { interval: 5 }).toBe(before + 1);
  await work();
  return result;
}

const SLOW_PHOTO = { operation: 'uploadListingImage', action: { type: 'slow', ms: 800 } };

it('does not report manual edits made during an update of photos as its own, and its undo leaves them', async () => {
  const made = await makeOne();
  const images = [{ url: await upload(service, 'photo-07.jpg'), alt_text: 'New' }];
  const result = await updateDuring(made, { images }, SLOW_PHOTO, () =>
    edit(service, made, { personalization: [buildQuestion('By hand')], products: [{ price: 77 }] }),
  );
  expect(listCodes(result)).toEqual(['ok']);
  const names = result.results?.flatMap(({ diff }) => (diff ?? []).map(({ field }) => field)) ?? [];
  expect(names.filter((name) => !name.startsWith('images'))).toEqual([]);
  expect(listCodes(await undo(made))).toEqual(['ok']);
  expect(await readQuestion(made)).toEqual(['By hand']);
  const [there] = await readListings(service, made);
  expect(there?.inventory.products[0]?.offering.price_amount).toBe(7700);
  expect(there?.images).toHaveLength(2);
});

const buildSizes = (values: string[]) => ({ properties: [{ property_id: 513, name: 'Size', values }] });

it('adds a size even if stock that all sizes share was sold since the decision', async () => {
  const made = await makeOne({ variations: buildSizes(['Small', 'Large']) });
  const readQuantities = async () =>
    (await readListings(service, made))[0]?.inventory.products.map(({ offering }) => offering.quantity);
  const [had = 0] = (await readQuantities()) ?? [];
  const images = [{ url: await upload(service, 'photo-07.jpg'), alt_text: 'New' }];
  const changes = { images, variations: buildSizes(['Small', 'Large', 'Huge']) };
  const result = await updateDuring(made, changes, SLOW_PHOTO, () =>
    service.control('POST', `/listings/${made.shops[0]?.listing_id}/sell`, { quantity: 1 }),
  );
  expect(listCodes(result)).toEqual(['ok']);
  expect(await readQuantities()).toEqual([had - 1, had - 1, had]);
});

it('undoes the stock of one size to stock that all sizes share, also if pieces were sold meanwhile', async () => {
  const made = await makeOne({ variations: buildSizes(['Small', 'Medium', 'Large']) });
  const readStock = async () => {
    const [there] = await readListings(service, made);
    return {
      axis: there?.inventory.quantity_on_property,
      quantities: there?.inventory.products.map(({ offering }) => offering.quantity),
    };
  };
  expect(await readStock()).toEqual({ axis: [], quantities: [4, 4, 4] });
  const images = [{ url: await upload(service, 'photo-07.jpg'), alt_text: 'New' }];
  const changes = { images, offerings: [{ size: 'Small', quantity: 2 }] };
  const result = await updateDuring(made, changes, SLOW_PHOTO, () =>
    service.control('POST', `/listings/${made.shops[0]?.listing_id}/sell`, { quantity: 1 }),
  );
  expect(listCodes(result)).toEqual(['ok']);
  expect(await readStock()).toEqual({ axis: [513], quantities: [2, 3, 3] });
  expect(listCodes(await undo(made))).toEqual(['ok']);
  expect(await readStock()).toEqual({ axis: [], quantities: [3, 3, 3] });
});

it('does not overwrite a question edited manually before a lost call is repeated', async () => {
  const made = await makeOne({ personalization: { enabled: true, instructions: 'Before', max_chars: 40 } });
  const result = await updateDuring(
    made,
    { personalization: { enabled: true, instructions: 'Ours', max_chars: 40 } },
    { operation: 'updateListingPersonalization', action: { type: 'reset' } },
    () => edit(service, made, { personalization: [buildQuestion('By hand')] }),
  );
  expect(listCodes(result)).toEqual(['DRIFT']);
  expect(await readQuestion(made)).toEqual(['By hand']);
});

it('treats an edit an update failed to overwrite as not yet seen', async () => {
  const made = await makeOne();
  await edit(service, made, { title: 'By hand' });
  const rules = [{ operation: 'updateListing', times: 1, action: { type: 'status', status: 400 } }];
  await service.control('POST', '/faults', { rules });
  const failed = await update(made, { listing: { title: 'Ours' } }, 'overwrite');
  expect(listCodes(failed)).toEqual(['error']);
  expect(JSON.stringify(failed.results)).not.toContain('is overwritten');
  expect(listCodes(await update(made, { listing: { title: 'Ours, again' } }))).toEqual(['DRIFT']);
  expect(await readTitles(made)).toEqual(['By hand']);
  expect(listCodes(await update(made, { listing: { title: 'Ours, again' } }, 'overwrite'))).toEqual(['ok']);
  expect(await readTitles(made)).toEqual(['Ours, again']);
});

it('reads photos again if a lagging list omits them a moment after they were written', async () => {
  const made = await makeOne();
  const { request } = await service.call<{ request: { images: { url: string }[] } }>('listing_get', {
    listing_pk: made.listing_pk,
  });
  const images = [{ url: request.images[1]?.url, alt_text: 'First' }, { url: request.images[0]?.url }];
  const setLag = (media_list_lag_ms: number) => service.control('POST', '/settings', { media_list_lag_ms });
  try {
    await setLag(60_000);
    const { listing_pk, shops } = made;
    const shop_ids = shops.map(({ shop_id }) => shop_id);
    const planned = await service.call<UpdateResult>('listing_update', {
      listing_pk,
      changes: { images },
      shops: shop_ids,
      dry_run: true,
    });
    expect(planned.shops).toMatchObject([{ status: 'ok', warnings: [] }]);
    const updating = update(made, { images });
    await pause(SETTLE_MS / 2);
    await setLag(0);
    const { results } = await updating;
    expect(results).toMatchObject([{ status: 'ok', warnings: [] }]);
  } finally {
    await setLag(0);
  }
  const [there] = await readListings(service, made);
  expect(there?.images.toSorted((a, b) => a.rank - b.rank).map(({ alt_text }) => alt_text)).toEqual([
    'First',
    'Photo 1',
  ]);
});

it('waits for a call of a process that ended, and does not repeat it', async () => {
  const made = await makeOne();
  isDeadly = true;
  let ended: ListingJobResult | undefined;
  const calls = await countCalls(service, async () => {
    const result = update(made, { listing: { title: 'Ours' } });
    await expect.poll(() => isDeadly, { interval: 5 }).toBe(false);
    await pause(SETTLE_MS / 3);
    // The write of the process that is gone arrives.
    await edit(service, made, { title: 'Ours' });
    ended = await finish(service, (await result).job_id ?? '');
  });
  expect(ended?.results).toMatchObject([{ status: 'ok', diff: [{ field: 'listing.title', after: 'Ours' }] }]);
  expect(calls).not.toHaveProperty('updateListing');
});
