import { expect, it } from 'vitest';
import { buildMug, listTargets } from '../service.js';
import { startDashboard, toText } from './visitor.js';

it('a card has the lowest price of the variations in the shop, as the listing’s own page has it', async () => {
  const dashboard = await startDashboard();
  const seller = await dashboard.signIn();
  const [clay] = await listTargets(dashboard.service);
  const offerings = [
    { size: 'Small', price: 29 },
    { size: 'Large', price: 38 },
  ];
  const variations = {
    properties: [{ property_id: 513, name: 'Size', values: ['Small', 'Large'] }],
    offerings: offerings.map(({ size }) => ({ size })),
  };
  const mug = buildMug([{ ...clay, overrides: { offerings } }], { variations });
  const { listing_pk } = await dashboard.service.call<{ listing_pk: number }>('listing_create', {
    ...mug,
    listing: { ...mug.listing, price: 32 },
    state: 'draft',
  });
  for (const path of ['/dashboard/listings', `/dashboard/listings/${listing_pk}`])
    expect(toText((await seller.get(path)).text)).toContain('From 29.00 USD');
  await dashboard.close();
});
