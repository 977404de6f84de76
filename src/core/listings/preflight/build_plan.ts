import type { CategorySchema } from '../../../../schemas/category.js';
import type { Warning } from '../../../../schemas/job.js';
import type { FieldRow } from '../../../../schemas/listing_fields.js';
import type { ListingRequest, ShopTarget } from '../../../../schemas/listing_request.js';
import type { ConnectedShop, DraftListing, Inventory, ListingQuestion } from '../../ports/index.js';
import type { Plan, PublishAction, ShopPlan } from '../../ports/listing/plan.js';
import type { PlannedFile, Target, TargetVariationImage } from '../../ports/listing/target.js';
import { CREATED, getRow, readGiven } from '../listing_fields.js';
import { listImageOrder } from '../requests/request.js';
import { roundPrice } from '../rules/money.js';
import { toPlainText } from '../rules/html.js';
import { toOfferingKey } from '../rules/variation_rules.js';
import { toWords } from '../requests/words.js';
import { toAttributes } from './attributes.js';
import { toFileNames } from './file_name.js';
import type { Issue } from '../../../../schemas/issue.js';
import { toMediaKey } from './media.js';
import { buildShopPart, type ShopPart } from './shop_part.js';
import { listCurrencyWarnings, listRequestWarnings, toWhenMade } from './warnings.js';
import { normalize } from '../../text/normalize.js';
import { PLAIN_QUESTION } from '../snapshot/compare_words.js';

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

export function buildPlan(input: PlanInput): Plan<PublishAction> {
  const { request, schema, limits, warnings } = input;
  const parts = input.shops.map((shop, index) => buildShopPart(request, index, shop, schema));
  const target = buildTarget(input);
  return {
    purpose: 'publish',
    warnings: [
      ...listRequestWarnings(request, parts, limits, input.year),
      ...listCurrencyWarnings(request, input.shops),
      ...warnings,
    ],
    shops: parts.map((part, index) => buildShopPlan(input, index, part, target)),
    request: null,
  };
}

/** The parts to add to the draft, without those that differ between shops; and whether it is put on sale. */
function buildTarget({ request, state, schema, files }: PlanInput): Target {
  const order = listImageOrder(request.images ?? []);
  const parts: Required<
    Pick<Target, 'images' | 'videos' | 'files' | 'variation_images' | 'attributes' | 'questions'>
  > = {
    images: listImages(request, order, files).map((file) => ({
      ...toMedia(file),
      alt_text: file.alt_text ?? '',
    })),
    videos: (request.videos ?? []).flatMap(({ url }) => findFile(files, 'video', url)).map(toMedia),
    files: listDigitalFiles(request, files).map(toMedia),
    variation_images: listVariationImages(request, order),
    attributes: toAttributes(request, schema),
    questions: listQuestions(request),
  };
  const given = Object.entries(parts).filter(([, items]) => items.length > 0);
  return { ...Object.fromEntries(given), ...(state === 'active' && { state }) };
}

function toMedia(file: PlannedFile): { id: null; file: PlannedFile } {
  return { id: null, file };
}

function buildShopPlan(
  { request, shops, year }: PlanInput,
  index: number,
  { readiness_state_id, compiled, warnings }: ShopPart,
  target: Target,
): ShopPlan<PublishAction> {
  const [asked, shop] = [request.shops[index], shops[index]];
  if (!asked || !shop) throw new Error('a shop that is not connected has no plan');
  const { currency_code, shop_name } = shop.details;
  const price = compiled?.price ?? asked.price ?? request.listing.price ?? 0;
  const draft = toDraft(request, asked, {
    price: roundPrice(price, currency_code),
    quantity: compiled?.quantity ?? request.listing.quantity ?? 1,
    readiness_state_id: readiness_state_id ?? undefined,
    when_made: toWhenMade(request, year),
  });
  const inventory = compiled && withRoundedPrices(compiled.inventory, currency_code);
  return {
    shop_id: asked.shop_id,
    shop_name,
    currency_code,
    listing_id: null,
    action: {
      kind: 'publish',
      draft,
      target: { ...target, ...(inventory && { inventory }) },
      position: index,
    },
    names: {},
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

function listVariationImages(
  { variations }: ListingRequest,
  order: readonly number[],
): TargetVariationImage[] {
  const { property: name, mapping = {} } = variations?.variation_images ?? {};
  if (name === undefined) return [];
  const property = variations?.properties?.find(
    (candidate) => toOfferingKey(candidate.name) === toOfferingKey(name),
  );
  if (!property) return [];
  const { property_id } = property;
  return Object.entries(mapping).map(([value, index]) => ({
    property_id,
    value,
    image: { position: order.indexOf(index) },
  }));
}

function listQuestions({ personalization }: ListingRequest): ListingQuestion[] {
  if (personalization?.enabled !== true) return [];
  const { is_required: isRequired = false, instructions, max_chars } = personalization;
  return [
    {
      ...PLAIN_QUESTION,
      instructions: instructions?.trim() || null,
      required: isRequired,
      max_allowed_characters: max_chars ?? PLAIN_QUESTION.max_allowed_characters,
    },
  ];
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
