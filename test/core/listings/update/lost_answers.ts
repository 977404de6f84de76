import type { UpdateResult } from '../../../answers.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startService, upload, type TestService } from '../../../service.js';
import { describeListing, edit, readListings, makeListing, type Made } from './rig.js';

const VARIED = {
  variations: {
    properties: [{ property_id: 513, name: 'Glaze', values: ['White', 'Ochre'] }],
    offerings: [
      { glaze: 'White', price: 20, quantity: 3, sku: 'W' },
      { glaze: 'Ochre', price: 22, quantity: 4, sku: 'O' },
    ],
    variation_images: { property: 'Glaze', mapping: { White: 0, Ochre: 1 } },
  },
};

const listStatuses = ({ results }: UpdateResult) => results?.map(({ status, error }) => error ?? status);

type Fault = { type: string; status?: number; headers?: Record<string, string> };

/** A write whose answer is lost is checked, and repeated only if it was not done. */
export function describeLostAnswers(operations: readonly string[], faults: readonly Fault[]): void {
  let service: TestService;
  let photo: string;
  let video: string;
  let made: Made;
  let wanted: unknown;
  let undone: unknown;

  const describeAll = async () => (await readListings(service, made)).map(describeListing);

  async function change(): Promise<UpdateResult> {
    const { request } = await service.call<{ request: { images: { url: string }[] } }>('listing_get', {
      listing_pk: made.listing_pk,
    });
    return service.call<UpdateResult>('listing_update', {
      listing_pk: made.listing_pk,
      changes: {
        listing: { title: 'Stoneware cup' },
        images: [
          { url: request.images[1]?.url, alt_text: 'First' },
          { url: request.images[0]?.url },
          { url: photo, alt_text: 'New' },
        ],
        videos: [{ url: video }],
        offerings: [{ sku: 'W', price: 25 }],
        category_attributes: { 358: { value_ids: [2140], values: ['Yes'] } },
        personalization: { enabled: true, instructions: 'A name' },
      },
    });
  }

  const undo = () => service.call<UpdateResult>('listing_undo', { listing_pk: made.listing_pk });

  beforeAll(async () => {
    service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
    photo = await upload(service, 'photo-09.jpg');
    video = await upload(service, 'clip.mp4', 'video');
    made = await makeListing(service, { photos: 3, more: VARIED });
    await edit(service, made, { translations: { de: { title: 'Becher', description: 'Ein Becher.' } } });
    undone = await describeAll();
    expect(listStatuses(await change())).toEqual(['ok', 'ok']);
    wanted = await describeAll();
    expect(listStatuses(await undo())).toEqual(['ok', 'ok']);
  });
  afterAll(() => service.close());
  afterEach(() => service.control('DELETE', '/faults'));

  describe('an update and its undo', () => {
    it.each(operations)(
      'finish as requested, with nothing twice, after any failure of %s',
      { timeout: 120_000 },
      async (operation) => {
        for (const action of faults) {
          const rules = [{ operation, times: 1, action }];
          await service.control('POST', '/faults', { rules });
          expect({ action, told: listStatuses(await change()) }).toEqual({ action, told: ['ok', 'ok'] });
          expect({ action, there: await describeAll() }).toEqual({ action, there: wanted });
          await service.control('POST', '/faults', { rules });
          expect({ action, told: listStatuses(await undo()) }).toEqual({ action, told: ['ok', 'ok'] });
          expect({ action, there: await describeAll() }).toEqual({ action, there: undone });
          await service.control('DELETE', '/faults');
        }
      },
    );

    it('restore what they removed if a later write is refused, report it, and are finished by the next call', async () => {
      const refusal = { type: 'status', status: 400, body: { error: 'No' } };
      await service.control('POST', '/faults', {
        rules: [{ operation: 'updateListingProperty', times: 2, action: refusal }],
      });
      const failed = await change();
      expect(failed.results?.map(({ status, details }) => [status, details?.['step']])).toEqual([
        ['error', 'attributes'],
        ['error', 'attributes'],
      ]);
      const [there] = await readListings(service, made);
      expect(there?.translations.map(({ language }) => language)).toEqual(['de']);
      expect(there?.variation_images).toHaveLength(2);
      await service.control('DELETE', '/faults');
      expect(listStatuses(await change())).toEqual(['ok', 'ok']);
      expect(await describeAll()).toEqual(wanted);
    });
  });
}
