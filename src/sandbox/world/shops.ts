import type { ShopData } from '../store/shops.js';

/** The sandbox's built-in application. Nothing here is a real credential. */
export const SANDBOX_APP = {
  application_id: 1_093_377_218,
  keystring: 'sandbox0keystring0notreal',
  shared_secret: 'sandbox0secret',
} as const;

export type ShopSeed = {
  shop_id: number;
  user_id: number;
  shop_name: string;
  created_on: string;
  data: ShopData;
};

/** The two shops whose owners can give a grant. */
export const SANDBOX_SHOPS: readonly ShopSeed[] = [
  {
    shop_id: 48_213_377,
    user_id: 731_204_418,
    shop_name: 'ClayAndOak',
    created_on: '2019-03-11',
    data: shopData({
      title: 'Stoneware and oak for slow mornings',
      announcement: 'Each piece is thrown, glazed and fired in our studio in Asheville.',
      currency_code: 'USD',
      country_iso: 'US',
      login_name: 'clayandoak',
      first_name: 'June',
      last_name: 'Hollis',
      transaction_sold_count: 2431,
      review_count: 618,
      review_average: 4.91,
    }),
  },
  {
    shop_id: 52_660_914,
    user_id: 806_551_203,
    shop_name: 'NordLinen',
    created_on: '2020-09-02',
    data: shopData({
      title: 'Washed linen for table, bed and bath',
      announcement: 'Cut and sewn in small batches in Borås.',
      currency_code: 'EUR',
      country_iso: 'SE',
      login_name: 'nordlinen',
      first_name: 'Elin',
      last_name: 'Sandberg',
      transaction_sold_count: 1187,
      review_count: 342,
      review_average: 4.87,
    }),
  },
];

/** A user who only buys: can consent to anything, and has no shop. */
export const SANDBOX_BUYER = { user_id: 913_440_076, name: 'Ada, who only buys' } as const;

/** Shops that only fill the search; they cannot be connected. */
export const OTHER_SHOPS: readonly ShopSeed[] = [
  otherShop(31_450_228, 412_900_117, 'MapleKilnStudio', 'US', 'USD', 'Hand-thrown pottery from Vermont'),
  otherShop(37_002_451, 498_113_620, 'TwoOwlsPress', 'GB', 'GBP', 'Letterpress cards and prints'),
  otherShop(39_918_806, 533_074_902, 'WickAndMeadow', 'US', 'USD', 'Soy candles poured by hand'),
  otherShop(44_107_735, 640_288_351, 'FernAndFlaxHome', 'DE', 'EUR', 'Linen and cotton for the kitchen'),
  otherShop(46_551_090, 702_415_886, 'BrassLantern', 'US', 'USD', 'Jewelry with old patterns'),
  otherShop(49_770_613, 755_930_264, 'PixelGroveDesigns', 'CA', 'CAD', 'Printable art and patterns'),
];

function otherShop(
  shop_id: number,
  user_id: number,
  shop_name: string,
  country_iso: string,
  currency_code: string,
  title: string,
): ShopSeed {
  return {
    shop_id,
    user_id,
    shop_name,
    created_on: '2018-05-20',
    data: shopData({ title, country_iso, currency_code, login_name: shop_name.toLowerCase() }),
  };
}

function shopData(
  given: Partial<ShopData> & Pick<ShopData, 'title' | 'currency_code' | 'country_iso'>,
): ShopData {
  const login_name = given.login_name ?? 'owner';
  return {
    announcement: null,
    sale_message: 'Thank you for your order! We pack it with care.',
    digital_sale_message: null,
    policy_additional: null,
    language: 'en-US',
    login_name,
    first_name: 'Shop',
    last_name: 'Owner',
    email: `${login_name}@shops.example`,
    num_favorers: 900,
    transaction_sold_count: 850,
    review_count: 210,
    review_average: 4.8,
    ...given,
  };
}
