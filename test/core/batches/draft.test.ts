import { expect, it } from 'vitest';
import { createDraft } from '../../../src/core/batches/draft.js';
import type { ListingRecord } from '../../../src/core/ports/index.js';
import { CLAY, LINEN } from '../../service.js';

const listing = { listing_pk: 7, title: 'Mug' } as ListingRecord;
const [refused, other] = [CLAY.shop_id, LINEN.shop_id];
const planShop = (shop_id: number) => ({
  shop_id: String(shop_id),
  shop_name: 'Shop',
  status: 'ok' as const,
  cost_usd: 0.2,
  marketplace_calls: 2,
  diff: [{ field: 'listing.title', before: 'Mug', after: 'Cup' }],
});

it('plans no more listings of a shop that is refused', () => {
  const draft = createDraft(listing, 0, new Map());
  draft.refuse(refused, [{ code: 'item_not_there', at: 'shops', params: {} }]);
  const results = { status: 'completed', shops: [planShop(refused), planShop(other)] } as never;
  const sold: boolean[] = [];
  for (const shop_id of [refused, other]) {
    draft.change(shop_id, planShop(shop_id) as never);
    sold.push(draft.sell(shop_id, 'active', 'expired', results));
    draft.copy(shop_id, results);
  }
  draft.add({ op: 'sale', shop_ids: [refused, other], state: 'active' });
  const { items, steps } = draft.finish();
  expect(sold).toEqual([false, true]);
  expect(items).toMatchObject([
    { shop_id: refused, status: 'refused', diff: [], cost_usd: 0, marketplace_calls: 0 },
    { shop_id: other, status: 'planned', cost_usd: 0.2 },
  ]);
  expect(steps.map(({ call }) => call)).toEqual([{ op: 'sale', shop_ids: [other], state: 'active' }]);
});
