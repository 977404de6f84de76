import type { UpdateResult } from '../../../answers.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../../../service.js';
import { readListings, makeListing, type Made } from './rig.js';

/* The marketplace's requirements for active listings also apply to updates of them. */

const RINGS = 1238;

let service: TestService;
let made: Made;
beforeAll(async () => {
  service = await startService({ MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
  made = await makeListing(service);
});
afterAll(() => service.close());

const change = (changes: object, more: object = {}) => ({ listing_pk: made.listing_pk, changes, ...more });

describe('an update of an active listing', () => {
  it.each([
    ['who_made', 'collective'],
    ['when_made', '2010_2019'],
    ['is_supply', true],
  ])('sends the three fields that belong together if %s changes', async (field, value) => {
    const { results } = await service.call<UpdateResult>(
      'listing_update',
      change({ listing: { [field]: value } }),
    );
    expect(results).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
    const all = await readListings(service, made);
    for (const there of all) expect(there?.fields).toMatchObject({ [field]: value });
  });

  it('is refused if the new category requires an attribute that it does not have', async () => {
    const { code, message } = await service.refuse(
      'listing_update',
      change({ listing: { taxonomy_id: RINGS } }, { dry_run: true }),
    );
    expect(code).toBe('VALIDATION_FAILED');
    expect(message).toContain('Ring material');
  });

  it('is refused if its styles are wrong, even if they stay unchanged on the marketplace', async () => {
    const { message } = await service.refuse(
      'listing_update',
      change({ listing: { styles: ['Boho', 'Rustic', 'Art/Deco'] } }),
    );
    expect(message.split('\n')).toEqual([
      'changes.listing.styles: has 3 styles; at most 2 are allowed',
      expect.stringContaining('changes.listing.styles[2]: has characters that are not allowed: / (U+002F)'),
    ]);
  });
});
