import { ATTRIBUTES, type Field, type Value } from './fields.js';

/** A listing as reported by the control route; amounts in hundredths. */
export type SeenListing = {
  listing_id: number;
  shop_id: number;
  state: string;
  fields: { title: string; description?: string; tags: string[]; shop_section_id: number | null } & Record<
    string,
    unknown
  >;
  images: { listing_image_id: number; rank: number; sha256: string | null; alt_text: string }[];
  videos: { sha256: string }[];
  files: { listing_file_id: number; name: string }[];
  personalization: { instructions: string | null }[];
  translations: { language: string; title: string }[];
  /** Attributes of the category. */
  properties: { property_id: number; values: string[] }[];
  inventory: { products: SeenProduct[] };
};

type SeenProduct = {
  sku: string;
  property_values: { property_name: string; values: string[] }[];
  offering: {
    price_amount: number;
    quantity: number;
    is_enabled: boolean;
    readiness_state_id: number | null;
  };
};

export type SeenMarketplace = {
  listings: SeenListing[];
  fees: { listing_id: number; shop_id: number; created_at: number; kind: string; amount: number }[];
};

export function describeListing(seen: SeenListing): { fields: Record<Field, Value>; rest: string } {
  const { fields, state, inventory, properties } = seen;
  const { products } = inventory;
  const [, other] = products;
  const own = new Set<number>(Object.values(ATTRIBUTES).map(({ property_id }) => property_id));
  const attributes = properties.filter(({ property_id }) => !own.has(property_id));
  const {
    title: _title,
    price_amount: _price,
    quantity: _quantity,
    num_favorers: _liked,
    views: _views,
    ...others
  } = fields;
  return {
    fields: {
      title: fields.title,
      price: (products[0]?.offering.price_amount ?? 0) / 100,
      stock: products.map(({ offering }) => offering.quantity).join(','),
      state,
      photos: listPhotos(seen).join(','),
      video: seen.videos.map(({ sha256 }) => toShort(sha256)).join(','),
      question: seen.personalization.map(({ instructions }) => instructions ?? '').join(','),
      files: seen.files.map(({ name }) => name).join(','),
      other_price: other ? other.offering.price_amount / 100 : '',
      is_offered: other ? String(other.offering.is_enabled) : '',
      color: describeAttribute(seen, 'color'),
      occasion: describeAttribute(seen, 'occasion'),
      words: seen.translations.map(({ language, title }) => `${language}: ${title}`).join(','),
    },
    rest: JSON.stringify([others, attributes, products.map(describeProduct)]),
  };
}

function describeAttribute({ properties }: SeenListing, field: keyof typeof ATTRIBUTES): string {
  const found = properties.find(({ property_id }) => property_id === ATTRIBUTES[field].property_id);
  return found?.values.join(',') ?? '';
}

/** The price of the first two is a field, as is whether the second is offered. */
function describeProduct({ sku, property_values, offering }: SeenProduct, index: number): unknown[] {
  const { price_amount, is_enabled, readiness_state_id } = offering;
  const chosen = property_values.map(({ property_name, values }) => [property_name, ...values]);
  return [sku, chosen, index === 1 ? null : is_enabled, readiness_state_id, index < 2 ? null : price_amount];
}

/** In order, by their bytes. */
export function listPhotos({ images }: SeenListing): string[] {
  return images.toSorted((a, b) => a.rank - b.rank).map(({ sha256 }) => (sha256 ? toShort(sha256) : 'none'));
}

export function toShort(sha256: string): string {
  return sha256.slice(0, 8);
}
