import { describe, expect, it } from 'vitest';
import type { ListingRequest, Offering, ShopTarget } from '../../../../schemas/listing_request.js';
import { findSavedOffer } from '../../../../src/core/listings/requests/saved_offer.js';
import { compileVariations } from '../../../../src/core/listings/variations/compile.js';

const SHOP_ID = 7;
const GLAZE = { property_id: 200, name: 'Glaze', values: ['Sand', 'Moss', 'Sky'] };
const SIZE = { property_id: 100, name: 'Size', values: ['Small', 'Large'] };

type Case = {
  what: string;
  listing?: { price?: number; quantity?: number };
  shop?: Partial<ShopTarget>;
  properties?: (typeof GLAZE)[];
  offerings?: Offering[];
  offer: { price: number | null; quantity: number | null };
};

const CASES: Case[] = [
  {
    what: 'an offering without a price has the listing’s',
    listing: { price: 20, quantity: 1 },
    offerings: [
      { glaze: 'Sand', price: 30, quantity: 2 },
      { glaze: 'Moss', quantity: 3 },
    ],
    offer: { price: 20, quantity: 5 },
  },
  {
    what: 'an offering without a price has the shop’s, where it has its own',
    listing: { price: 20, quantity: 1 },
    shop: { price: 25 },
    offerings: [{ glaze: 'Sand', price: 30 }, { glaze: 'Moss' }],
    offer: { price: 25, quantity: 2 },
  },
  {
    what: 'without offerings each combination is offered as the listing is',
    listing: { price: 20, quantity: 5 },
    offer: { price: 20, quantity: 15 },
  },
  {
    what: 'more than one product may have',
    listing: { price: 20, quantity: 999 },
    offer: { price: 20, quantity: 2997 },
  },
  {
    what: 'where there is none of anything, the lowest price stays',
    listing: { price: 20, quantity: 5 },
    offerings: [
      { glaze: 'Sand', price: 30, quantity: 0 },
      { glaze: 'Moss', price: 31, quantity: 0 },
      { glaze: 'Sky', price: 32, quantity: 0 },
    ],
    offer: { price: 30, quantity: 0 },
  },
  {
    what: 'all combinations of two properties',
    listing: { price: 20, quantity: 5 },
    properties: [GLAZE, SIZE],
    offer: { price: 20, quantity: 30 },
  },
  {
    what: 'a hidden offering counts for nothing, and neither does one that there is none of',
    listing: { price: 20, quantity: 5 },
    offerings: [
      { glaze: 'Sand', price: 10, enabled: false },
      { glaze: 'Moss', price: 12, quantity: 0 },
      { glaze: 'Sky', price: 14 },
    ],
    offer: { price: 14, quantity: 5 },
  },
];

const build = ({ listing, shop, properties = [GLAZE], offerings }: Case) =>
  ({
    shops: [{ shop_id: SHOP_ID, ...shop }],
    listing: { title: 'Mug', description: 'A mug.', listing_type: 'physical', taxonomy_id: 1062, ...listing },
    variations: { properties, ...(offerings && { offerings }) },
  }) satisfies ListingRequest;

describe('the displayed offer of a saved listing', () => {
  it.each(CASES)('is the one that would be sent: $what', (one) => {
    const request = build(one);
    const { price, inventory } = compileVariations(request.variations, [], {
      price: one.shop?.price ?? one.listing?.price,
      quantity: one.listing?.quantity,
      readiness_state_id: null,
    });
    const quantity = inventory.products.reduce((sum, product) => sum + product.quantity, 0);
    expect({ price, quantity }).toEqual(one.offer);
    expect(findSavedOffer(request, SHOP_ID)).toMatchObject(one.offer);
  });

  it('is unknown if a draft does not specify it', () => {
    expect(findSavedOffer(build({ what: '', offer: { price: null, quantity: null } }), SHOP_ID)).toEqual({
      price: null,
      quantity: null,
      has_several_prices: false,
    });
    const { variations: _, ...plain } = build({
      what: '',
      listing: { price: 3 },
      offer: { price: 3, quantity: null },
    });
    expect(findSavedOffer(plain, SHOP_ID)).toEqual({ price: 3, quantity: null, has_several_prices: false });
  });

  it.each([
    [[20, 20], false],
    [[20, 30], true],
    [[20, undefined], true],
  ])('shows for offerings at %j whether buyers choose among several prices', (prices, hasSeveralPrices) => {
    const offerings = prices.map((price, index) => ({
      glaze: GLAZE.values[index],
      ...(price !== undefined && { price }),
    }));
    const request = build({
      what: '',
      listing: { price: 25 },
      offerings,
      offer: { price: 20, quantity: null },
    });
    expect(findSavedOffer(request, SHOP_ID)).toEqual({
      price: 20,
      quantity: null,
      has_several_prices: hasSeveralPrices,
    });
  });
});
