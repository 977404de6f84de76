import { z } from 'zod/v3';

const shippingProfile = z.object({
  shipping_profile_id: z.number().int(),
  title: z.string(),
  min_processing_days: z.number().int().nullable(),
  max_processing_days: z.number().int().nullable(),
  primary_cost: z.string().nullable().describe('Decimal, for the first destination'),
  currency_code: z.string().nullable(),
});
export type ShippingProfile = z.infer<typeof shippingProfile>;

const shopSection = z.object({
  shop_section_id: z.number().int(),
  title: z.string(),
  rank: z.number().int(),
  active_listing_count: z.number().int(),
});
export type ShopSection = z.infer<typeof shopSection>;

const returnPolicy = z.object({
  return_policy_id: z.number().int(),
  accepts_returns: z.boolean(),
  accepts_exchanges: z.boolean(),
  return_deadline: z.number().int().nullable().describe('Days'),
});
export type ReturnPolicy = z.infer<typeof returnPolicy>;

const processingProfile = z.object({
  readiness_state_id: z.number().int().describe('Use as processing_profile_id'),
  readiness_state: z.string(),
  min_processing_days: z.number().int(),
  max_processing_days: z.number().int(),
  processing_days_display_label: z.string(),
});
export type ProcessingProfile = z.infer<typeof processingProfile>;

const productionPartner = z.object({
  production_partner_id: z.number().int(),
  partner_name: z.string(),
  location: z.string(),
});
export type ProductionPartner = z.infer<typeof productionPartner>;

/** The details of a shop, without its lists. */
const shopDetails = z.object({
  shop_id: z.string().describe('A string here; requests take it as a number'),
  shop_name: z.string(),
  currency_code: z.string(),
  shipping_from_country_iso: z.string().nullable(),
  listing_active_count: z.number().int(),
  review_average: z.number().nullable(),
  review_count: z.number().int().nullable(),
  is_vacation: z.boolean(),
  url: z.string(),
});
export type ShopDetails = z.infer<typeof shopDetails>;

/** The five lists that a listing takes its ids from; the service stores all of them. */
const shopLists = z.object({
  shipping_profiles: z.array(shippingProfile),
  shop_sections: z.array(shopSection),
  return_policies: z.array(returnPolicy),
  processing_profiles: z.array(processingProfile),
  production_partners: z.array(productionPartner),
});
export type ShopLists = z.infer<typeof shopLists>;

const identity = shopDetails.pick({ shop_id: true, shop_name: true, currency_code: true });

export const shopsList = z.object({
  stores: z.array(identity.extend({ url: z.string(), last_synced_at: z.string() })),
});

export const shopDetailsCached = shopDetails.extend({
  last_synced_at: z.string(),
  shipping_profiles: z.array(shippingProfile),
  shop_sections: z.array(shopSection),
  return_policies: z.null(),
  processing_profiles: z.null(),
  production_partners: z.null(),
});

export const shopSynced = identity.extend({ last_synced_at: z.string() }).merge(shopLists);

export const shopQuery = z.object({ shop_id: z.number().int().describe('From stores_list, as a number') });

const shop = z.object({ shop_id: z.string(), shop_name: z.string() });
export const shippingProfilesLive = shop.merge(shopLists.pick({ shipping_profiles: true }));
export const returnPoliciesLive = shop.merge(shopLists.pick({ return_policies: true }));
export const processingProfilesLive = shop.merge(shopLists.pick({ processing_profiles: true }));
export const shopSectionsLive = shop.merge(shopLists.pick({ shop_sections: true }));
