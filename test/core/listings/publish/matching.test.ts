import { expect, it } from 'vitest';
import {
  buildPendingCreate,
  buildRestoredCreate,
  matchListings,
  type PendingCreate,
} from '../../../../src/core/listings/steps/create/matching.js';
import type { DraftListing, MarketplaceListing } from '../../../../src/core/ports/index.js';
import { buildPlan } from '../../../store/samples/listing_samples.js';

const NOW = '2026-11-20T10:00:00.000Z';
const SOON = '2026-11-20T10:00:35.000Z';
const AT_S = Date.parse(NOW) / 1000;
const MINUTE_S = 60;
const DAY_S = 24 * 60 * MINUTE_S;

const [plan] = buildPlan([101]).shops;
if (!plan) throw new Error('the plan has no shop');
const DRAFT: DraftListing = { ...plan.action.draft, shop_section_id: 7 };

function build(listing_id: number, more: Partial<MarketplaceListing> = {}): MarketplaceListing {
  return {
    listing_id,
    state: 'draft',
    url: '',
    currency_code: 'USD',
    created_at_epoch_s: AT_S + 1,
    updated_at_epoch_s: AT_S + 1,
    ends_at_epoch_s: null,
    language: 'en-US',
    featured_rank: null,
    shop_id: null,
    skus: [],
    tags: [],
    materials: [],
    styles: [],
    shipping_profile_id: null,
    return_policy_id: null,
    is_customizable: true,
    is_taxable: true,
    should_auto_renew: false,
    item_weight: null,
    item_weight_unit: null,
    item_length: null,
    item_width: null,
    item_height: null,
    item_dimensions_unit: null,
    ...DRAFT,
    production_partner_ids: [],
    shop_section_id: DRAFT.shop_section_id ?? null,
    ...more,
  };
}

function create(draft = DRAFT, attempt = 1, isEarlier = false): PendingCreate {
  const made_between = { since: NOW, until: SOON };
  const intent = { step: 'create' as const, started_at: NOW, deadline_at: SOON, attempt, made_between };
  return buildPendingCreate(intent, draft, isEarlier);
}

const TWIN = create({ ...DRAFT, shop_section_id: 8 });
const one = (listing: MarketplaceListing, surplus: MarketplaceListing[] = []) => ({
  found: 'one',
  listing,
  surplus,
});
const undecided = (...listings: MarketplaceListing[]) => ({ found: 'undecided', listings });
const NONE = { found: 'none' };

it('adopts the listing that is identical to the sent one, and leaves the other to an equal create', () => {
  const [mine, its] = [build(1), build(2, { shop_section_id: 8 })];
  expect(matchListings([its, mine], create(), [TWIN])).toEqual(one(mine));
  expect(matchListings([its], create(), [TWIN])).toEqual(NONE);
});

it('adopts one with a field the marketplace changed, unless there is a better match', () => {
  const changed = build(1, { shop_section_id: null });
  expect(matchListings([changed], create(), [])).toEqual(one(changed));
  expect(matchListings([changed, build(2)], create(), [])).toEqual(one(build(2)));
});

it('assigns equal listings to as many creates, oldest first', () => {
  const [older, newer] = [build(2), build(1, { created_at_epoch_s: AT_S + 9 })];
  expect(matchListings([newer, older], create(), [create()])).toEqual(one(older));
  expect(matchListings([newer, older], create(DRAFT, 2), [])).toEqual(one(older, [newer]));
  expect(matchListings([newer, older], create(), [])).toEqual(undecided(older, newer));
});

it('adopts no listing created at another time, and does not decide about one of the same day', () => {
  for (const off_s of [-10 * MINUTE_S, 10 * MINUTE_S]) {
    const doubtful = build(1, { created_at_epoch_s: AT_S + off_s });
    expect(matchListings([doubtful], create(), [])).toEqual(undecided(doubtful));
    const other = { ...doubtful, shop_section_id: 9 };
    expect(matchListings([other], create(), [])).toEqual(NONE);
  }
  expect(matchListings([build(1, { created_at_epoch_s: AT_S - 2 * DAY_S })], create(), [])).toEqual(NONE);
});

it('recognizes by its title a listing that was sold or changed since, and does not decide by the description only', () => {
  const sold = build(1, { state: 'active', quantity: 0, price: 50 });
  const renamed = build(2, { state: 'active', title: 'Another name' });
  expect(matchListings([sold], create(DRAFT, 1, true), [])).toEqual(one(sold));
  expect(matchListings([renamed], create(DRAFT, 1, true), [])).toEqual(undecided(renamed));
  expect(matchListings([renamed, sold], create(DRAFT, 1, true), [])).toEqual(one(sold));
  expect(matchListings([renamed], create(), [])).toEqual(NONE);
});

it("adopts only an exact match if the marketplace's time was unknown", () => {
  const intent = {
    step: 'create' as const,
    started_at: NOW,
    deadline_at: SOON,
    attempt: 1,
    made_between: null,
  };
  const timeless = buildPendingCreate(intent, DRAFT, false);
  const changed = build(1, { shop_section_id: null, created_at_epoch_s: AT_S - 300 * DAY_S });
  expect(matchListings([changed], timeless, [])).toEqual(undecided(changed));
  expect(matchListings([changed, build(2)], timeless, [])).toEqual(one(build(2)));
});

it('adopts after a restore only a listing with the same texts and price', () => {
  const restored = buildRestoredCreate(NOW, DRAFT);
  const later = build(1, { state: 'active', created_at_epoch_s: AT_S + 3 * DAY_S });
  expect(matchListings([later], restored, [])).toEqual(one(later));
  const dearer = { ...later, price: 99 };
  expect(matchListings([dearer], restored, [])).toEqual(undecided(dearer));
  expect(matchListings([{ ...later, title: 'Another name' }], restored, [])).toEqual(NONE);
});
