import { describe, expect, it } from 'vitest';
import type { ListingRequest } from '../../../schemas/listing_request.js';
import { listCurrencyWarnings } from '../../../src/core/listings/preflight/warnings.js';
import type { ConnectedShop } from '../../../src/core/ports/index.js';

const shop = (currency_code: string) => ({ details: { currency_code } }) as ConnectedShop;
const request = (own: number | undefined, offerings?: { price?: number }[]) =>
  ({
    shops: [{ shop_id: 1 }, { shop_id: 2, ...(own !== undefined && { price: own }) }],
    listing: { price: 22 },
    ...(offerings && { variations: { offerings } }),
  }) as ListingRequest;

describe('one price for shops with several currencies', () => {
  it('causes a warning if one of them has no decimals', () => {
    const [warning] = listCurrencyWarnings(request(undefined), [shop('USD'), shop('JPY')]);
    expect(warning).toMatchObject({ code: 'price_of_several_currencies', fields: ['listing.price'] });
    const offerings = [{ price: 22 }, { price: 24 }];
    expect(listCurrencyWarnings(request(3000, offerings), [shop('USD'), shop('JPY')])).toMatchObject([
      { fields: ['variations.offerings[0].price', 'variations.offerings[1].price'] },
    ]);
  });

  it('causes no warning if a shop has its own, or all currencies have decimals', () => {
    expect(listCurrencyWarnings(request(3000), [shop('USD'), shop('JPY')])).toEqual([]);
    expect(listCurrencyWarnings(request(undefined), [shop('USD'), shop('EUR')])).toEqual([]);
    expect(listCurrencyWarnings(request(undefined), [shop('KRW'), shop('JPY')])).toEqual([]);
  });
});
