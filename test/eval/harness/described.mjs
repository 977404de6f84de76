/* Describes a listing in the same few words, from its request and from the marketplace's data. */

/** An assistant may have sent JSON in strings. */
export function toObjects(request) {
  return Object.fromEntries(Object.entries(request).map(([key, value]) => [key, toObject(value)]));
}

function toObject(value) {
  return typeof value === 'string' && /^[[{]/.test(value) ? JSON.parse(value) : value;
}

/** The intended listing in this shop. */
export function describeWanted(request, shop_id) {
  const { state, listing, shops, images, videos, digital_files, personalization } = request;
  const target = shops.find((shop) => shop.shop_id === shop_id);
  const properties = request.variations?.properties ?? [];
  const combinations = properties.reduce((product, { values }) => product * values.length, 1);
  const { offerings } = request.variations ?? {};
  const offered = (offerings ?? [{}]).filter(({ enabled }) => enabled !== false);
  return {
    state: state === 'active' ? 'active' : 'draft',
    title: listing.title.normalize('NFC').trim(),
    category: listing.taxonomy_id,
    section: target.shop_section_id ?? null,
    tags: dropRepeated(listing.tags ?? []),
    images: (images ?? []).length,
    videos: (videos ?? []).length,
    digital_files: (digital_files ?? []).length,
    personalization: personalization?.enabled ? [personalization.instructions ?? ''] : [],
    category_attributes: listGiven(request.category_attributes ?? {}),
    combinations,
    offered: offerings ? offered.length : combinations,
    prices: sort(offered.map(({ price }) => price ?? target.price ?? listing.price)),
  };
}

export function describeFound({ state, fields, inventory, ...attached }) {
  const offers = inventory.products.map(({ offering }) => offering).filter(({ is_enabled }) => is_enabled);
  return {
    state,
    title: fields.title,
    category: fields.taxonomy_id,
    section: fields.shop_section_id,
    tags: fields.tags,
    images: attached.images.length,
    videos: attached.videos.length,
    digital_files: attached.files.length,
    personalization: attached.personalization.map(({ instructions }) => instructions ?? ''),
    category_attributes: attached.properties.map(({ property_id }) => String(property_id)).sort(),
    combinations: inventory.products.length,
    offered: offers.length,
    prices: sort(offers.map(({ price_amount }) => price_amount / 100)),
  };
}

function listGiven(attributes) {
  const given = Object.entries(attributes).filter(([, one]) => one?.value_ids?.length || one?.values?.length);
  return given.map(([property_id]) => property_id).sort();
}

const toKey = (word) => word.trim().toLowerCase();

function dropRepeated(words) {
  return words.filter((word, at) => words.findIndex((other) => toKey(other) === toKey(word)) === at);
}

const sort = (prices) => [...new Set(prices)].sort((one, other) => one - other);
