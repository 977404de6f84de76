import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StoppedError } from '../../../../src/core/listings/engine/failures.js';
import type { MediaChange, ShopChanges } from '../../../../src/core/ports/listing/changes.js';
import type { ChangeAction } from '../../../../src/core/ports/listing/plan.js';
import type { ChangeProgress } from '../../../../src/core/ports/listing/progress.js';
import type { PlannedFile } from '../../../../src/core/ports/listing/target.js';
import { startService, upload, type TestService } from '../../../service.js';
import { chooseCrashPoints, createFinder, OF_A_JOB, type CrashPoint } from '../../../wrapped/crash_point.js';
import { watchPorts } from '../../../wrapped/ports.js';
import { describeListing, edit, finish, readListings, makeJob, makeListing, type Made } from './rig.js';

type Action = Parameters<typeof makeJob>[2];

/** A job that makes a change, and one that reverts to the start. */
type Turns = { there: Action; back: (job_id: string) => Promise<Action> };

const VARIATIONS = {
  variations: {
    properties: [{ property_id: 513, name: 'Glaze', values: ['White', 'Ochre'] }],
    offerings: [
      { glaze: 'White', price: 20, quantity: 3, sku: 'W' },
      { glaze: 'Ochre', price: 22, quantity: 4, sku: 'O' },
    ],
    variation_images: { property: 'Glaze', mapping: { White: 0, Ochre: 1 } },
  },
};
const TIMEOUT_MS = 600_000;

/**
 * A change that ends at any point, as in a power failure, is resumed and done once: the listing is the same as
 * after an undisturbed change, with nothing twice, and so is the report. Changes and their undos take turns on
 * one listing. @param every one in this many points is tested
 */
export function describeKills(every: number): void {
  let service: TestService;
  /** Where the job ends, and whether it was reached. Parallel work ends at its next call. */
  let armed: { isAt: ReturnType<typeof createFinder>; is_reached: boolean } | undefined;
  let calls: string[] = [];
  /** The job that is watched. One that was ended before may still try to save its outcome. */
  let watched: string | undefined;

  beforeAll(async () => {
    service = await startService(
      { MAX_ACTIVATIONS_PER_DAY: 'unlimited' },
      {
        wrapPorts: (ports) =>
          watchPorts(ports, (side, call, args) => {
            // A process that is gone releases no claim.
            if (!OF_A_JOB.test(call) || call === 'store.listings.claimJob') return;
            if (call.startsWith('store.') && !JSON.stringify(args[0]).includes(String(watched))) return;
            if (side === 'before') calls.push(call);
            if (!armed) return;
            armed.is_reached ||= armed.isAt(side, call, args);
            if (armed.is_reached) throw new StoppedError(`ended ${side} ${call}`);
          }),
      },
    );
    // All points together make more calls than the default limit of a day.
    await service.control('POST', '/settings', { rate_per_day: 1_000_000 });
  });
  afterAll(() => service.close());

  const describeAll = async (made: Made) => (await readListings(service, made)).map(describeListing);

  async function plan(name: string, type = 'image'): Promise<PlannedFile> {
    const { account_id } = await service.app.core.accounts.getDefault();
    const url = await upload(service, name, type);
    const kept = await service.app.core.uploads.findByUrl(account_id, url);
    if (!kept) throw new Error('it was just uploaded');
    const { sha256, size_bytes, filename, content_type } = kept;
    return { url, sha256, size_bytes, filename, content_type };
  }

  /** The job's changes are undone in each shop. */
  async function toRestore(job_id: string): Promise<Action> {
    const { account_id } = await service.app.core.accounts.getDefault();
    const parts = await service.app.store.listings.listJobParts<ChangeProgress>(account_id, job_id);
    return (shop_id) => {
      const progress = parts.find(({ part_id }) => part_id === shop_id)?.progress;
      if (!progress?.before || !progress.after) throw new Error('it was changed there');
      const { before, after, kept } = progress;
      return { kind: 'restore', before, after, kept };
    };
  }

  /** Ends it at the point, resumes it, and returns whether it was reached, the report, and the calls. */
  async function befall(made: Made, action: Action, point?: CrashPoint) {
    const { job_id } = await makeJob(service, made, action);
    calls = [];
    watched = job_id;
    armed = point === undefined ? undefined : { isAt: createFinder(point), is_reached: false };
    if (armed) await runUntilReached(job_id, armed);
    const isReached = armed?.is_reached ?? false;
    armed = undefined;
    const answer = await finish(service, job_id);
    const result = answer.results?.map(({ status, diff, warnings, error, activation_cost_usd }) => ({
      status,
      error,
      activation_cost_usd,
      fields: diff?.map(({ field }) => field),
      // Earlier manual edits are news only to the first.
      warnings: warnings?.map(({ code }) => code).filter((code) => code !== 'taken_over'),
    }));
    return { job_id, is_reached: isReached, told: result, calls };
  }

  /** Until the job has ended, or its process has released it. */
  async function runUntilReached(job_id: string, at: { is_reached: boolean }): Promise<void> {
    const { listings } = service.app.store;
    const { account_id } = await service.app.core.accounts.getDefault();
    await service.app.core.listings.resume();
    for (;;) {
      if ((await listings.findJob(account_id, job_id))?.status !== 'processing') return;
      const isFree = (await listings.listClaimableJobs()).some((job) => job.job_id === job_id);
      if (at.is_reached && isFree) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async function expectSoundAfterKills(made: Made, { there, back }: Turns): Promise<void> {
    const before = await describeAll(made);
    const plain = await befall(made, there);
    const after = await describeAll(made);
    expect(after).not.toEqual(before);
    const undone = await befall(made, await back(plain.job_id));
    expect(await describeAll(made)).toEqual(before);
    const points = takeSome([...chooseCrashPoints(plain.calls), ...chooseCrashPoints(undone.calls)]);
    const reached: CrashPoint[] = [];
    for (const point of points) {
      const gone = await befall(made, there, point);
      expect({ point, there: await describeAll(made) }).toEqual({ point, there: after });
      expect({ point, told: gone.told }).toEqual({ point, told: plain.told });
      const come = await befall(made, await back(gone.job_id), point);
      expect({ point, back: await describeAll(made) }).toEqual({ point, back: before });
      expect({ point, told: come.told }).toEqual({ point, told: undone.told });
      if (gone.is_reached || come.is_reached) reached.push(point);
    }
    expect(reached).toEqual(points);
  }

  const takeSome = (points: readonly CrashPoint[]) =>
    [...new Set(points)].filter((_, index) => index % every === 0);

  describe('a change and its undo, ended before and after each kind of call and commit,', () => {
    it('handle texts, photos, prices, attributes and questions', { timeout: TIMEOUT_MS }, async () => {
      expect.hasAssertions();
      const made = await makeListing(service, { photos: 3, more: VARIATIONS });
      const de = { title: 'Becher', description: 'Ein Becher.', tags: ['becher'] };
      await edit(service, made, { translations: { de } });
      const photo = await plan('photo-07.jpg');
      const video = await plan('clip.mp4', 'video');
      const ids = new Map(
        (await readListings(service, made)).map((listing, index) => [
          made.shops[index]?.shop_id,
          listing?.images.map(({ listing_image_id }) => listing_image_id) ?? [],
        ]),
      );
      const there = (shop_id: number): ChangeAction => {
        const [first, second] = ids.get(shop_id) ?? [];
        const images = [second, null, first].map((id, index) =>
          toMedia('images', index, id ?? null, photo, { alt_text: `Now ${index}` }),
        );
        const changes: ShopChanges = {
          fields: { title: 'Stoneware cup', tags: ['cup'] },
          images,
          videos: [toMedia('videos', 0, null, video)],
          inventory: {
            kind: 'offerings',
            offerings: [{ path: 'changes.offerings[0]', match: { sku: 'W' }, set: { price: 25, sku: 'W2' } }],
          },
          attributes: [
            { property_id: 357, attribute: { property_id: 357, value_ids: [2104], values: ['Stoneware'] } },
          ],
          personalization: { enabled: true, instructions: 'A name', max_chars: 20 },
        };
        return { kind: 'change', changes, on_drift: 'refuse' };
      };
      await expectSoundAfterKills(made, { there, back: toRestore });
    });

    it('handle activation', { timeout: TIMEOUT_MS }, async () => {
      const made = await makeListing(service, { photos: 1 });
      const de = { title: 'Becher', description: 'Ein Becher.', tags: ['becher'] };
      await edit(service, made, { translations: { de } });
      const there: ChangeAction = { kind: 'state', state: 'inactive', is_paid: false, seen_state: 'active' };
      await expectSoundAfterKills(made, { there, back: toRestore });
      const { fees } = await service.control<{ fees: { listing_id: number }[] }>('GET', '/state');
      const paid = fees.filter(({ listing_id }) => made.shops.some((shop) => shop.listing_id === listing_id));
      expect(paid).toHaveLength(made.shops.length);
    });

    it('handle digital files', { timeout: TIMEOUT_MS }, async () => {
      expect.hasAssertions();
      const url = await upload(service, 'pattern.pdf', 'digital');
      const more = { digital_files: [{ url, filename: 'pattern.pdf' }] };
      const made = await makeListing(service, {
        photos: 1,
        more,
        listing: { listing_type: 'digital', when_made: '2020_2026' },
      });
      const file = await plan('pattern.pdf', 'digital');
      const second = { ...file, filename: 'second.pdf' };
      const ids = new Map(
        (await readListings(service, made)).map((listing, index) => [
          made.shops[index]?.shop_id,
          listing?.files[0]?.listing_file_id ?? null,
        ]),
      );
      const build =
        (files: readonly (PlannedFile | null)[]) =>
        (shop_id: number): ChangeAction => {
          const own = files.map((sent, index) =>
            toMedia('files', index, sent ? null : (ids.get(shop_id) ?? null), sent),
          );
          return { kind: 'change', changes: { files: own }, on_drift: 'refuse' };
        };
      const turns = { there: build([null, second]), back: () => Promise.resolve(build([null])) };
      await expectSoundAfterKills(made, turns);
    });

    it('handle sold-out listings, paid once', { timeout: TIMEOUT_MS }, async () => {
      const made = await makeListing(service, { photos: 1 });
      const action: ChangeAction = {
        kind: 'state',
        state: 'active',
        is_paid: true,
        stock: 5,
        seen_state: 'sold_out',
      };
      const sellOut = async () => {
        for (const { listing_id } of made.shops) {
          await service.control('POST', `/listings/${listing_id}/state`, { state: 'sold_out' });
        }
      };
      await sellOut();
      const plain = await befall(made, action);
      const points = takeSome(chooseCrashPoints(plain.calls));
      const reached: CrashPoint[] = [];
      for (const point of points) {
        await sellOut();
        const before = await countFees(made);
        const { told, is_reached } = await befall(made, action, point);
        expect({
          point,
          told: told?.map(({ status, error, activation_cost_usd }) => ({
            status,
            error,
            activation_cost_usd,
          })),
        }).toEqual({
          point,
          told: made.shops.map(() => ({ status: 'ok', error: undefined, activation_cost_usd: 0.2 })),
        });
        expect({ point, fees: (await countFees(made)) - before }).toEqual({ point, fees: made.shops.length });
        const shown = await readListings(service, made);
        expect({
          point,
          shown: shown.map((one) => [one?.state, one?.inventory.products[0]?.offering.quantity]),
        }).toEqual({ point, shown: made.shops.map(() => ['active', 5]) });
        if (is_reached) reached.push(point);
      }
      expect(reached).toEqual(points);
    });
  });

  async function countFees({ shops }: Made): Promise<number> {
    const { fees } = await service.control<{ fees: { listing_id: number }[] }>('GET', '/state');
    return fees.filter(({ listing_id }) => shops.some((shop) => shop.listing_id === listing_id)).length;
  }
}

function toMedia(
  kind: string,
  index: number,
  id: number | null,
  file: PlannedFile | null,
  more: { alt_text?: string } = {},
): MediaChange {
  return {
    url: file?.url ?? '',
    path: `changes.${kind}[${index}]`,
    id,
    file: id === null ? file : null,
    ...more,
  };
}
