import type { CategorySchema } from '../../../../schemas/category.js';
import type { Warning } from '../../../../schemas/job.js';
import type { ListingRequest, ShopTarget } from '../../../../schemas/listing_request.js';
import type { ProcessingProfile } from '../../../../schemas/store.js';
import type { ConnectedShop, DraftListing, Inventory, PersonalizationQuestion } from '../../ports/index.js';
import { MARKETPLACE_FACTS } from '../marketplace_facts.js';
import type { PlannedFile, PlannedVariationImages, PublishPlan, ShopPlan } from '../plan.js';
import { listImageOrder } from '../request.js';
import { roundPrice } from '../rules/money.js';
import { stripHtml } from '../rules/html.js';
import { cutChars } from '../rules/text.js';
import { toOfferingKey } from '../rules/variation_rules.js';
import { compileVariations, type CompiledVariations } from '../variations/compile.js';
import { toAttributes } from './category.js';
import { toFileName } from './file_name.js';
import { toMediaKey } from './media.js';
import { listRequestWarnings } from './warnings.js';

/** Everything a request that passed preflight needs to become a plan. */
export type PlanInput = {
  request: ListingRequest;
  state: 'publish' | 'active';
  schema: CategorySchema;
  /** By position in shops[]. */
  shops: readonly ConnectedShop[];
  /** By toMediaKey. */
  files: ReadonlyMap<string, PlannedFile>;
};

export function buildPlan(input: PlanInput): PublishPlan {
  const { request, state, schema, files } = input;
  const images = request.images ?? [];
  const order = listImageOrder(images);
  const shops = request.shops.map((target, index) => buildShopPlan(input, target, index));
  return {
    state,
    images: order.flatMap((index) => findFile(files, 'image', images[index]?.url)),
    videos: (request.videos ?? []).flatMap(({ url }) => findFile(files, 'video', url)),
    files: listDigitalFiles(request, files),
    attributes: toAttributes(request, schema),
    variation_images: toVariationImages(request, order),
    personalization: toPersonalization(request),
    warnings: listRequestWarnings(request, listDigitalFiles(request, files), shops[0]?.completed ?? 0),
    shops: shops.map(({ completed: _, ...shop }) => shop),
  };
}

function buildShopPlan(
  { request, schema, shops }: PlanInput,
  target: ShopTarget,
  index: number,
): ShopPlan & { completed: number } {
  const shop = shops[index];
  if (!shop) throw new Error('a shop that is not connected has no plan');
  const { currency_code, shop_name } = shop.details;
  const warnings: Warning[] = [];
  const readiness = chooseProcessingProfile(request, target, shop, warnings);
  const price = target.price ?? request.listing.price;
  const compiled = compile(request, schema, price, readiness);
  if (target.price !== undefined && compiled && !compiled.is_listing_price_used) {
    warnings.push({
      code: 'price_override_unused',
      fields: [`shops[${index}].price`],
      reason: 'Every offering has a price of its own, so the price given for this shop is used nowhere.',
    });
  }
  warnings.push(...listIgnored(request, target, index));
  return {
    shop_id: target.shop_id,
    shop_name,
    currency_code,
    draft: toDraft(request, target, {
      price: roundPrice(compiled?.price ?? price ?? 0, currency_code),
      quantity: compiled?.quantity ?? request.listing.quantity ?? 1,
      readiness_state_id: readiness ?? undefined,
    }),
    inventory: compiled ? withRoundedPrices(compiled.inventory, currency_code) : undefined,
    warnings,
    completed: compiled?.completed ?? 0,
  };
}

/** Variations, or the one product that carries a SKU; undefined when creation says it all. */
function compile(
  { variations, listing }: ListingRequest,
  schema: CategorySchema,
  price: number | undefined,
  readiness_state_id: number | null,
): CompiledVariations | undefined {
  const defaults = { price, quantity: listing.quantity, readiness_state_id };
  if (variations?.properties && variations.properties.length > 0) {
    return compileVariations(variations, schema.variation_properties, defaults);
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
  const inventory: Inventory = {
    products: [product],
    price_on_property: [],
    quantity_on_property: [],
    sku_on_property: [],
    readiness_state_on_property: [],
  };
  return {
    inventory,
    price: product.price,
    quantity: product.quantity,
    completed: 0,
    is_listing_price_used: true,
  };
}

function withRoundedPrices(inventory: Inventory, currency_code: string): Inventory {
  const products = inventory.products.map((product) => ({
    ...product,
    price: roundPrice(product.price, currency_code),
  }));
  return { ...inventory, products };
}

/** Null for digital listings. Omitted: the profile whose days fit the listing's, else the shop's first. */
function chooseProcessingProfile(
  { listing }: ListingRequest,
  target: ShopTarget,
  shop: ConnectedShop,
  warnings: Warning[],
): number | null {
  if (listing.listing_type === 'digital') return null;
  if (target.processing_profile_id !== undefined) return target.processing_profile_id;
  const { processing_profiles: profiles } = shop.lists;
  const chosen = findByDays(profiles, listing.processing_min, listing.processing_max) ?? profiles[0];
  if (!chosen) throw new Error('preflight lets no shop without a processing profile pass');
  warnings.push({
    code: 'processing_profile_defaulted',
    fields: ['processing_profile_id'],
    reason: `No processing profile was named; ${chosen.readiness_state_id} (${chosen.processing_days_display_label}) is used.`,
  });
  return chosen.readiness_state_id;
}

/** The very days, else days within them. */
function findByDays(
  profiles: readonly ProcessingProfile[],
  min: number | null | undefined,
  max: number | null | undefined,
): ProcessingProfile | undefined {
  if (min == null && max == null) return undefined;
  const isExact = (profile: ProcessingProfile) =>
    profile.min_processing_days === (min ?? profile.min_processing_days) &&
    profile.max_processing_days === (max ?? profile.max_processing_days);
  const isWithin = (profile: ProcessingProfile) =>
    profile.min_processing_days >= (min ?? 0) && profile.max_processing_days <= (max ?? Infinity);
  return profiles.find(isExact) ?? profiles.find(isWithin);
}

function toDraft(
  { listing }: ListingRequest,
  target: ShopTarget,
  computed: { price: number; quantity: number; readiness_state_id: number | undefined },
): DraftListing {
  const isPhysical = listing.listing_type === 'physical';
  return {
    ...computed,
    title: listing.title.normalize('NFC').trim(),
    description: stripHtml(listing.description),
    listing_type: listing.listing_type,
    taxonomy_id: listing.taxonomy_id,
    who_made: listing.who_made ?? 'i_did',
    when_made: listing.when_made ?? (isPhysical ? 'made_to_order' : MARKETPLACE_FACTS.open_when_made),
    is_supply: listing.is_supply ?? false,
    shipping_profile_id: isPhysical ? target.shipping_profile_id : undefined,
    return_policy_id: isPhysical ? target.return_policy_id : undefined,
    shop_section_id: target.shop_section_id,
    production_partner_ids: listOrNothing(target.production_partner_ids),
    tags: toWords(listing.tags),
    materials: toWords(listing.materials),
    styles: toWords(listing.styles),
    is_customizable: listing.is_customizable,
    is_taxable: listing.is_taxable,
    should_auto_renew: listing.should_auto_renew,
    item_weight: listing.item_weight ?? undefined,
    item_weight_unit: listing.item_weight_unit ?? undefined,
    item_length: listing.item_length ?? undefined,
    item_width: listing.item_width ?? undefined,
    item_height: listing.item_height ?? undefined,
    item_dimensions_unit: listing.item_dimensions_unit ?? undefined,
    processing_min: listing.processing_min ?? undefined,
    processing_max: listing.processing_max ?? undefined,
  };
}

function listIgnored({ listing }: ListingRequest, target: ShopTarget, index: number): Warning[] {
  if (listing.listing_type !== 'digital') return [];
  const fields = (['shipping_profile_id', 'return_policy_id', 'processing_profile_id'] as const).filter(
    (field) => target[field] !== undefined,
  );
  if (fields.length === 0) return [];
  const reason = 'Digital listings have no shipping, returns or processing; left out.';
  return [{ code: 'ignored_field', fields: fields.map((field) => `shops[${index}].${field}`), reason }];
}

function toVariationImages(
  { variations }: ListingRequest,
  order: readonly number[],
): PlannedVariationImages | undefined {
  const { property: name, mapping = {} } = variations?.variation_images ?? {};
  const entries = Object.entries(mapping);
  if (name === undefined || entries.length === 0) return undefined;
  const property = variations?.properties?.find(
    (candidate) => toOfferingKey(candidate.name) === toOfferingKey(name),
  );
  if (!property) return undefined;
  const images = entries.map(([value, index]) => ({ value, image: order.indexOf(index) }));
  return { property_id: property.property_id, images };
}

function toPersonalization({ personalization }: ListingRequest): PersonalizationQuestion | undefined {
  if (personalization?.enabled !== true) return undefined;
  return {
    is_required: personalization.is_required ?? false,
    instructions: personalization.instructions?.trim() || null,
    max_chars: personalization.max_chars ?? 256,
  };
}

function listDigitalFiles(request: ListingRequest, files: ReadonlyMap<string, PlannedFile>): PlannedFile[] {
  if (request.listing.listing_type !== 'digital') return [];
  return (request.digital_files ?? []).flatMap(({ url, name }) =>
    findFile(files, 'digital', url).map((file) => ({ ...file, filename: name ?? toFileName(file.filename) })),
  );
}

function findFile(
  files: ReadonlyMap<string, PlannedFile>,
  slot: 'image' | 'video' | 'digital',
  url = '',
): PlannedFile[] {
  const file = files.get(toMediaKey(slot, url));
  return file ? [file] : [];
}

function toWords(words: readonly string[] | null | undefined): string[] | undefined {
  return listOrNothing(words?.map((word) => word.normalize('NFC').trim()));
}

function listOrNothing<T>(items: readonly T[] | null | undefined): T[] | undefined {
  return items && items.length > 0 ? [...items] : undefined;
}
