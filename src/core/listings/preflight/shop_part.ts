import type { CategorySchema } from '../../../../schemas/category.js';
import type { Warning } from '../../../../schemas/job.js';
import type { ListingRequest, ShopTarget } from '../../../../schemas/listing_request.js';
import type { ConnectedShop } from '../../ports/index.js';
import { MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import { getShopTarget } from '../requests/request.js';
import { cutChars } from '../rules/text.js';
import { compileVariations, type CompiledVariations } from '../variations/compile.js';
import { chooseProcessingProfile } from './processing_profile.js';

/** The part of a plan, or of a draft's warnings, that differs between shops. */
export type ShopPart = {
  /** Null for digital listings. */
  readiness_state_id: number | null;
  /** Variations, or the only product if it has a SKU; undefined if creating the draft sets everything. */
  compiled: CompiledVariations | undefined;
  warnings: Warning[];
};

/** @param schema undefined for a draft whose category has not been read yet: its values then have no ids */
export function buildShopPart(
  request: ListingRequest,
  index: number,
  shop: ConnectedShop,
  schema: CategorySchema | undefined,
): ShopPart {
  const target = getShopTarget(request, index);
  const { readiness_state_id, warnings } = chooseProcessingProfile(request, target, index, shop);
  const compiled = compileProducts(request, target, schema, readiness_state_id);
  return {
    readiness_state_id,
    compiled,
    warnings: [
      ...warnings,
      ...listUnusedPrice(target, index, compiled),
      ...listIgnored(request, target, index),
    ],
  };
}

/** Variations, or the only product if it has a SKU; undefined if creating the draft sets everything. */
export function compileProducts(
  { variations, listing }: ListingRequest,
  target: ShopTarget,
  schema: CategorySchema | undefined,
  readiness_state_id: number | null,
): CompiledVariations | undefined {
  const price = target.price ?? listing.price;
  if (variations?.properties && variations.properties.length > 0) {
    const defaults = { price, quantity: listing.quantity, readiness_state_id };
    return compileVariations(variations, schema?.variation_properties ?? [], defaults);
  }
  if (listing.sku === undefined || listing.sku === '') return undefined;
  const product = {
    sku: cutChars(listing.sku, MARKETPLACE_FACTS.sku_sent_chars),
    property_values: [],
    price: price ?? 0,
    quantity: listing.quantity ?? 1,
    is_enabled: true,
    readiness_state_id,
  };
  return {
    inventory: {
      products: [product],
      price_on_property: [],
      quantity_on_property: [],
      sku_on_property: [],
      readiness_state_on_property: [],
    },
    price: product.price,
    quantity: product.quantity,
    completed: 0,
    is_listing_price_used: true,
  };
}

function listUnusedPrice(
  target: ShopTarget,
  index: number,
  compiled: CompiledVariations | undefined,
): Warning[] {
  if (target.price === undefined || !compiled || compiled.is_listing_price_used) return [];
  const reason = { code: 'price_override_unused' as const, params: {} };
  return [{ code: 'price_override_unused', fields: [`shops[${index}].price`], reason }];
}

function listIgnored({ listing }: ListingRequest, target: ShopTarget, index: number): Warning[] {
  if (listing.listing_type !== 'digital') return [];
  const fields = (['shipping_profile_id', 'return_policy_id', 'processing_profile_id'] as const).filter(
    (field) => target[field] !== undefined,
  );
  if (fields.length === 0) return [];
  const reason = { code: 'needless_for_digital' as const, params: {} };
  return [{ code: 'ignored_field', fields: fields.map((field) => `shops[${index}].${field}`), reason }];
}
