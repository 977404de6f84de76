import { expect, it } from 'vitest';
import { buildGroupedPlan } from '../../../../src/core/listings/resolve/copy/grouped_plan.js';
import { buildPlan, buildRequest } from '../../../store/samples/listing_samples.js';

it('numbers the shops of several requests in the order of the plan, and keeps the warnings of each request', async () => {
  const warning = {
    code: 'ignored_field' as const,
    fields: [],
    reason: { code: 'stored_text' as const, params: { text: 'a' } },
  };
  const requests = [buildRequest([101, 102]), buildRequest([103])];
  const plans = new Map(
    requests.map((request, index) => {
      const plan = buildPlan(request.shops.map(({ shop_id }) => shop_id));
      return [request, { ...plan, warnings: index === 0 ? [] : [warning] }];
    }),
  );
  const preflight = {
    buildPlan: async (request: (typeof requests)[number]) => plans.get(request) ?? buildPlan([]),
  };
  const options = { account_id: 'acc_1', state: 'publish' as const, known_files: [], issues: [] };
  const { shops } = await buildGroupedPlan(preflight, requests, options, (path) => path);
  expect(
    shops.map(({ shop_id, action: { position, own_warnings } }) => [shop_id, position, own_warnings]),
  ).toEqual([
    [101, 0, undefined],
    [102, 1, undefined],
    [103, 2, [warning]],
  ]);
});
