import type {
  ProductionPartner,
  ReadinessState,
  ReturnPolicy,
  Section,
  ShippingCost,
  ShippingProfile,
} from '../store/shop_settings.js';

export type ShopSettingsSeed = {
  sections: readonly Omit<Section, 'shop_id' | 'rank'>[];
  shipping_profiles: readonly Omit<ShippingProfile, 'shop_id'>[];
  readiness_states: readonly Omit<ReadinessState, 'shop_id'>[];
  return_policies: readonly Omit<ReturnPolicy, 'shop_id'>[];
  production_partners: readonly Omit<ProductionPartner, 'shop_id'>[];
};

/** Settings of the two connectable shops, by shop id. */
export const SHOP_SETTINGS: Readonly<Record<number, ShopSettingsSeed>> = {
  48_213_377: {
    sections: [
      { shop_section_id: 40_118_201, title: 'Mugs' },
      { shop_section_id: 40_118_202, title: 'Bowls & Plates' },
      { shop_section_id: 40_118_203, title: 'Oak Boards' },
      { shop_section_id: 40_118_204, title: 'Vases' },
      { shop_section_id: 40_118_205, title: 'Gift Sets' },
    ],
    shipping_profiles: [
      shippingProfile(211_740_301, 'Small parcel', 'US', '28801', [
        cost(1, 'US', 'none', 595, 150, 2, 5),
        cost(2, 'CA', 'none', 1495, 400, 5, 10),
        cost(3, '', 'none', 2450, 800, 8, 20),
      ]),
      shippingProfile(211_740_302, 'Heavy parcel', 'US', '28801', [
        cost(1, 'US', 'none', 1095, 450, 3, 7),
        cost(2, 'CA', 'none', 2895, 900, 6, 14),
      ]),
      shippingProfile(211_740_303, 'Free shipping in the US', 'US', '28801', [
        cost(1, 'US', 'none', 0, 0, 3, 7),
        cost(2, '', 'eu', 2895, 900, 8, 21),
      ]),
    ],
    readiness_states: [
      readiness(1_386_200_000_101, 'ready_to_ship', 1, 2),
      readiness(1_386_200_000_102, 'ready_to_ship', 3, 5),
      readiness(1_386_200_000_103, 'made_to_order', 5, 10),
    ],
    return_policies: [
      returnPolicy(1_142_500_101, true, true, 30),
      returnPolicy(1_142_500_102, false, false, null),
    ],
    production_partners: [
      {
        production_partner_id: 4_410_221,
        partner_name: 'Blue Ridge Sawmill',
        location: 'North Carolina, US',
      },
    ],
  },
  52_660_914: {
    sections: [
      { shop_section_id: 44_902_511, title: 'Table Linen' },
      { shop_section_id: 44_902_512, title: 'Kitchen Towels' },
      { shop_section_id: 44_902_513, title: 'Bed Linen' },
      { shop_section_id: 44_902_514, title: 'Bags' },
    ],
    shipping_profiles: [
      shippingProfile(223_915_881, 'Letter', 'SE', '503 30', [
        cost(1, 'SE', 'none', 390, 100, 1, 3),
        cost(2, '', 'eu', 790, 200, 3, 8),
        cost(3, '', 'none', 1290, 300, 6, 15),
      ]),
      shippingProfile(223_915_882, 'Parcel', 'SE', '503 30', [
        cost(1, 'SE', 'none', 690, 200, 1, 3),
        cost(2, '', 'eu', 1490, 400, 3, 8),
        cost(3, '', 'non_eu', 1890, 500, 4, 10),
        cost(4, '', 'none', 2490, 700, 6, 15),
      ]),
      shippingProfile(223_915_883, 'From Turku', 'FI', '20100', [
        cost(1, 'FI', 'none', 590, 150, 1, 3),
        cost(2, '', 'eu', 1290, 300, 3, 9),
      ]),
    ],
    readiness_states: [
      readiness(1_391_700_000_401, 'ready_to_ship', 1, 2),
      readiness(1_391_700_000_402, 'ready_to_ship', 3, 5),
      readiness(1_391_700_000_403, 'made_to_order', 5, 10),
    ],
    return_policies: [
      returnPolicy(1_158_300_401, true, false, 14),
      returnPolicy(1_158_300_402, true, true, 30),
    ],
    production_partners: [
      { production_partner_id: 4_730_512, partner_name: 'Viskan Weaving Mill', location: 'Borås, Sweden' },
      { production_partner_id: 4_730_513, partner_name: 'Aura Dye House', location: 'Turku, Finland' },
    ],
  },
};

function shippingProfile(
  shipping_profile_id: number,
  title: string,
  origin_country_iso: string,
  origin_postal_code: string,
  destinations: readonly ShippingCost[],
): Omit<ShippingProfile, 'shop_id'> {
  return {
    shipping_profile_id,
    data: {
      title,
      origin_country_iso,
      origin_postal_code,
      destinations: destinations.map((entry) => ({ ...entry, id: shipping_profile_id * 10 + entry.id })),
      upgrades: [
        { id: shipping_profile_id * 10 + 9, name: 'Express', type: 0, amount: 1200, secondary_amount: 300 },
      ],
    },
  };
}

function cost(
  id: number,
  country_iso: string,
  region: ShippingCost['region'],
  primary_amount: number,
  secondary_amount: number,
  min_delivery_days: number,
  max_delivery_days: number,
): ShippingCost {
  return { id, country_iso, region, primary_amount, secondary_amount, min_delivery_days, max_delivery_days };
}

function readiness(
  readiness_state_id: number,
  readiness_state: ReadinessState['readiness_state'],
  min_days: number,
  max_days: number,
): Omit<ReadinessState, 'shop_id'> {
  return { readiness_state_id, readiness_state, min_days, max_days };
}

function returnPolicy(
  return_policy_id: number,
  canReturn: boolean,
  canExchange: boolean,
  return_deadline: number | null,
): Omit<ReturnPolicy, 'shop_id'> {
  return { return_policy_id, accepts_returns: canReturn, accepts_exchanges: canExchange, return_deadline };
}
