/** A seeded order: the purchased item is the n-th seeded listing of the shop. */
export type ReceiptSeed = {
  shop_id: number;
  created_on: string;
  buyer: {
    user_id: number;
    name: string;
    first_line: string;
    city: string;
    zip: string;
    country_iso: string;
  };
  listing_index: number;
  quantity: number;
  is_paid: boolean;
  is_shipped: boolean;
  is_delivered: boolean;
  is_canceled: boolean;
};

const ANNA = person(90_114_201, 'Anna Weiss', 'Lindenweg 4', 'Leipzig', '04109', 'DE');
const MARCUS = person(90_114_202, 'Marcus Bell', '118 Alder Street', 'Portland', '97205', 'US');
const PRIYA = person(90_114_203, 'Priya Nair', '9 Harbour Road', 'Bristol', 'BS1 4TR', 'GB');
const SOFIE = person(90_114_204, 'Sofie Dahl', 'Kirkegata 12', 'Bergen', '5003', 'NO');

export const RECEIPTS: readonly ReceiptSeed[] = [
  receipt(48_213_377, '2026-11-02', MARCUS, 0, 2, ['is_paid', 'is_shipped', 'is_delivered']),
  receipt(48_213_377, '2026-11-09', ANNA, 1, 1, ['is_paid', 'is_shipped']),
  receipt(48_213_377, '2026-11-17', PRIYA, 4, 1, ['is_paid']),
  receipt(48_213_377, '2026-11-18', MARCUS, 2, 1, ['is_canceled']),
  receipt(52_660_914, '2026-11-04', SOFIE, 0, 1, ['is_paid', 'is_shipped', 'is_delivered']),
  receipt(52_660_914, '2026-11-12', ANNA, 3, 4, ['is_paid', 'is_shipped']),
  receipt(52_660_914, '2026-11-19', PRIYA, 2, 1, ['is_paid']),
];

type Flag = 'is_paid' | 'is_shipped' | 'is_delivered' | 'is_canceled';

function receipt(
  shop_id: number,
  created_on: string,
  buyer: ReceiptSeed['buyer'],
  listing_index: number,
  quantity: number,
  flags: readonly Flag[],
): ReceiptSeed {
  return {
    shop_id,
    created_on,
    buyer,
    listing_index,
    quantity,
    is_paid: flags.includes('is_paid'),
    is_shipped: flags.includes('is_shipped'),
    is_delivered: flags.includes('is_delivered'),
    is_canceled: flags.includes('is_canceled'),
  };
}

function person(
  user_id: number,
  name: string,
  first_line: string,
  city: string,
  zip: string,
  country_iso: string,
): ReceiptSeed['buyer'] {
  return { user_id, name, first_line, city, zip, country_iso };
}
