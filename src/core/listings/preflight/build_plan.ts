import type { CategorySchema } from '../../../../schemas/category.js';
import type { Warning } from '../../../../schemas/job.js';
import type { FieldRow } from '../../../../schemas/listing_fields.js';
import type { ListingRequest, ShopTarget } from '../../../../schemas/listing_request.js';
import type { ConnectedShop, DraftListing, Inventory, PersonalizationQuestion } from '../../ports/index.js';
import type { PlannedVariationImages, PublishPlan, ShopPlan } from '../../ports/listing/plan.js';
import type { PlannedFile } from '../../ports/listing/target.js';
import { CREATED, getRow, readGiven } from '../listing_fields.js';
import { listImageOrder } from '../requests/request.js';
import { roundPrice } from '../rules/money.js';
import { toPlainText } from '../rules/html.js';
import { toOfferingKey } from '../rules/variation_rules.js';
import { toWords } from '../requests/words.js';
import { listCurrencyWarnings } from './currency_warnings.js';
import { toAttributes } from './attributes.js';
import { toFileNames } from './file_name.js';
import type { Issue } from '../../../../schemas/issue.js';
import { toMediaKey } from './media.js';
import { buildShopPart, type ShopPart } from './shop_part.js';
import { listRequestWarnings, toWhenMade } from './warnings.js';
import { normalize } from '../../text/normalize.js';

/** The inputs for turning a request that passed preflight into a plan. */
type PlanInput = {
  request: ListingRequest;
  state: 'publish' | 'active';
  schema: CategorySchema;
  /** By position in shops[]. */
  shops: readonly ConnectedShop[];
  /** By toMediaKey. */
  files: ReadonlyMap<string, PlannedFile>;
  /** Fields to send although the marketplace may refuse them. */
  limits: readonly Issue[];
  /** By the marketplace's calendar. */
  year: number;
  /** About the files. */
  warnings: readonly Warning[];
};

export function buildPlan(input: PlanInput): PublishPlan {
  const { request, state, schema, files, limits, warnings } = input;
  const order = listImageOrder(request.images ?? []);
  const parts = input.shops.map((shop, index) => buildShopPart(request, index, shop, schema));
  return {
    state,
    images: listImages(request, order, files),
    videos: (request.videos ?? []).flatMap(({ url }) => findFile(files, 'video', url)),
    files: listDigitalFiles(request, files),
    attributes: toAttributes(request, schema),
    variation_images: toVariationImages(request, order),
    personalization: toPersonalization(request),
    warnings: [
      ...listRequestWarnings(request, parts, limits, input.year),
      ...listCurrencyWarnings(request, input.shops),
      ...warnings,
    ],
    shops: parts.map((part, index) => buildShopPlan(input, index, part)),
  };
}

function buildShopPlan(
  { request, shops, year }: PlanInput,
  index: number,
  { readiness_state_id, compiled, warnings }: ShopPart,
): ShopPlan {
  const [target, shop] = [request.shops[index], shops[index]];
  if (!target || !shop) throw new Error('a shop that is not connected has no plan');
  const { currency_code, shop_name } = shop.details;
  const price = compiled?.price ?? target.price ?? request.listing.price ?? 0;
  return {
    shop_id: target.shop_id,
    shop_name,
    currency_code,
    draft: toDraft(request, target, {
      price: roundPrice(price, currency_code),
      quantity: compiled?.quantity ?? request.listing.quantity ?? 1,
      readiness_state_id: readiness_state_id ?? undefined,
      when_made: toWhenMade(request, year),
    }),
    inventory: compiled ? withRoundedPrices(compiled.inventory, currency_code) : undefined,
    warnings,
  };
}

function withRoundedPrices(inventory: Inventory, currency_code: string): Inventory {
  const products = inventory.products.map((product) => ({
    ...product,
    price: roundPrice(product.price, currency_code),
  }));
  return { ...inventory, products };
}

/** The fields sent to create the draft in one shop, including those computed for that shop. */
export function toDraft(
  { listing }: ListingRequest,
  target: ShopTarget,
  computed: Pick<DraftListing, 'price' | 'quantity' | 'readiness_state_id' | 'when_made'>,
): DraftListing {
  const isPhysical = listing.listing_type === 'physical';
  const given = CREATED.filter((field) => isPhysical || getRow(field).is_physical !== true).map((field) => [
    field,
    toSent(getRow(field), readGiven(field, listing, target)),
  ]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each field that creation sends, and those that a request may lack
  return {
    ...Object.fromEntries(given),
    ...computed,
    title: normalize(listing.title).trim(),
    description: toPlainText(listing.description).text,
    who_made: listing.who_made ?? 'i_did',
    is_supply: listing.is_supply ?? false,
  } as DraftListing;
}

function toSent({ type }: FieldRow, value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value))
    return type === 'words' ? toWords(value as string[]) : value.length > 0 ? value : undefined;
  return type === 'opaque' && typeof value === 'number' ? String(value) : value;
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

/** In sending order; each has the path at which the caller named it. */
function listImages(
  { images = [] }: ListingRequest,
  order: readonly number[],
  files: ReadonlyMap<string, PlannedFile>,
): PlannedFile[] {
  return order.flatMap((index) =>
    findFile(files, 'image', images[index]?.url).map((file) => ({
      ...file,
      path: `images[${index}]`,
      alt_text: images[index]?.alt_text?.trim() || undefined,
    })),
  );
}

function listDigitalFiles(request: ListingRequest, files: ReadonlyMap<string, PlannedFile>): PlannedFile[] {
  if (request.listing.listing_type !== 'digital') return [];
  const found = (request.digital_files ?? []).flatMap(({ url, name }) =>
    findFile(files, 'digital', url).map((file) => ({ name, file })),
  );
  const names = toFileNames(found.map(({ name, file }) => ({ name, filename: file.filename })));
  return found.map(({ file }, index) => ({ ...file, filename: names[index] ?? file.filename }));
}

function findFile(
  files: ReadonlyMap<string, PlannedFile>,
  slot: 'image' | 'video' | 'digital',
  url = '',
): PlannedFile[] {
  const file = files.get(toMediaKey(slot, url));
  return file ? [file] : [];
}
