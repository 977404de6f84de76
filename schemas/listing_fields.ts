/*
 * The fields of a listing, once for the whole service. Every list of fields (those that a draft sends, an update writes, an
 * undo restores, or two reads are compared by) is derived from this table; so are the types of the ports. The marketplace's
 * name for a field is in marketplace/map/wire_listing.ts, and its bounds are in core/listings/rules/field_rules.ts.
 */

/** The name of a field for people; `many` for a list as a whole. */
export type FieldLabel = { one: string; many?: string };

export type FieldRow = {
  /** Its path in a request. Missing: only the marketplace has it. */
  path?: `listing.${string}` | `shops[].${string}`;
  /** Its path in a request if all shops can share it, instead of a value for each. */
  shared?: `listing.${string}`;
  /** The part of the listing that it is written with. */
  part: 'fields' | 'inventory';
  /**
   * prose: compared without regard to white space. words: a list in any order, each word once. opaque: text of at most 1,000
   * characters, or an integer, that only the marketplace can judge.
   */
  type: 'prose' | 'words' | 'kind' | 'text' | 'number' | 'flag' | 'id' | 'ids' | 'opaque';
  /** Whether creating a draft sends it: always, always for physical listings, or if it is given. Missing: never. */
  create?: 'always' | 'physical' | 'optional';
  /** Whether an update sets it. `clear`: null or an empty list removes it, too. Missing: it stays as it was created. */
  update?: 'set' | 'clear';
  /**
   * Whether answers contain it; then it is compared, and restored if an update can set it. `nullable`: null if there is none.
   * `reads`: only answers to reads contain it. `if_known`: an answer without it says nothing about it. Missing: never.
   */
  read?: 'always' | 'nullable' | 'reads' | 'if_known';
  /** Every listing has a value: every request has one, too, or the marketplace sets one if the request has none. */
  required?: 'by_request' | 'by_marketplace';
  /** Fields that the marketplace only accepts together. */
  together?: 'making';
  /** An id of the shop's own, which other shops do not have. */
  is_of_shop?: true;
  /** Digital listings do not have it. */
  is_physical?: true;
  /** A unit: it is meaningless without one of these. */
  unit_of?: readonly string[];
  /** A manual edit of it is not copied into the saved listing. */
  is_left_there?: true;
  /** Stored with each sighting, for display. */
  is_sighted?: true;
  /** The list of a shop that its ids come from. */
  list?:
    'shipping_profiles' | 'return_policies' | 'processing_profiles' | 'shop_sections' | 'production_partners';
  label: FieldLabel;
};

export const LISTING_FIELDS = {
  title: {
    path: 'listing.title',
    part: 'fields',
    type: 'prose',
    create: 'always',
    update: 'set',
    read: 'always',
    required: 'by_request',
    is_sighted: true,
    label: { one: 'title' },
  },
  description: {
    path: 'listing.description',
    part: 'fields',
    type: 'prose',
    create: 'always',
    update: 'set',
    read: 'always',
    required: 'by_request',
    is_sighted: true,
    label: { one: 'description' },
  },
  listing_type: {
    path: 'listing.listing_type',
    part: 'fields',
    type: 'kind',
    create: 'always',
    read: 'always',
    required: 'by_request',
    label: { one: 'listing type' },
  },
  taxonomy_id: {
    path: 'listing.taxonomy_id',
    part: 'fields',
    type: 'id',
    create: 'always',
    update: 'set',
    read: 'nullable',
    required: 'by_request',
    is_left_there: true,
    label: { one: 'category' },
  },
  price: {
    path: 'listing.price',
    part: 'inventory',
    type: 'number',
    create: 'always',
    read: 'always',
    required: 'by_marketplace',
    is_sighted: true,
    label: { one: 'price' },
  },
  quantity: {
    path: 'listing.quantity',
    part: 'inventory',
    type: 'number',
    create: 'always',
    read: 'always',
    required: 'by_marketplace',
    is_sighted: true,
    label: { one: 'stock' },
  },
  sku: { path: 'listing.sku', part: 'inventory', type: 'text', label: { one: 'SKU' } },
  who_made: {
    path: 'listing.who_made',
    part: 'fields',
    type: 'text',
    create: 'always',
    update: 'set',
    read: 'nullable',
    required: 'by_marketplace',
    together: 'making',
    label: { one: 'who made it' },
  },
  when_made: {
    path: 'listing.when_made',
    part: 'fields',
    type: 'text',
    create: 'always',
    update: 'set',
    read: 'nullable',
    required: 'by_marketplace',
    together: 'making',
    label: { one: 'when it was made' },
  },
  is_supply: {
    path: 'listing.is_supply',
    part: 'fields',
    type: 'flag',
    create: 'always',
    update: 'set',
    read: 'nullable',
    required: 'by_marketplace',
    together: 'making',
    label: { one: 'craft supply or finished product' },
  },
  tags: {
    path: 'listing.tags',
    part: 'fields',
    type: 'words',
    create: 'optional',
    update: 'clear',
    read: 'always',
    is_sighted: true,
    label: { one: 'tag', many: 'tags' },
  },
  materials: {
    path: 'listing.materials',
    part: 'fields',
    type: 'words',
    create: 'optional',
    update: 'clear',
    read: 'always',
    label: { one: 'material', many: 'materials' },
  },
  styles: {
    path: 'listing.styles',
    part: 'fields',
    type: 'words',
    create: 'optional',
    read: 'always',
    label: { one: 'style', many: 'styles' },
  },
  is_customizable: {
    path: 'listing.is_customizable',
    part: 'fields',
    type: 'flag',
    create: 'optional',
    read: 'always',
    required: 'by_marketplace',
    label: { one: 'customization' },
  },
  is_taxable: {
    path: 'listing.is_taxable',
    part: 'fields',
    type: 'flag',
    create: 'optional',
    update: 'set',
    read: 'always',
    required: 'by_marketplace',
    label: { one: 'sales tax' },
  },
  should_auto_renew: {
    path: 'listing.should_auto_renew',
    part: 'fields',
    type: 'flag',
    create: 'optional',
    update: 'set',
    read: 'always',
    required: 'by_marketplace',
    label: { one: 'automatic renewal' },
  },
  item_weight: {
    path: 'listing.item_weight',
    part: 'fields',
    type: 'number',
    create: 'optional',
    update: 'clear',
    read: 'nullable',
    label: { one: 'weight' },
  },
  item_weight_unit: {
    path: 'listing.item_weight_unit',
    part: 'fields',
    type: 'text',
    create: 'optional',
    update: 'clear',
    read: 'nullable',
    unit_of: ['item_weight'],
    label: { one: 'weight unit' },
  },
  item_length: {
    path: 'listing.item_length',
    part: 'fields',
    type: 'number',
    create: 'optional',
    update: 'clear',
    read: 'nullable',
    label: { one: 'length' },
  },
  item_width: {
    path: 'listing.item_width',
    part: 'fields',
    type: 'number',
    create: 'optional',
    update: 'clear',
    read: 'nullable',
    label: { one: 'width' },
  },
  item_height: {
    path: 'listing.item_height',
    part: 'fields',
    type: 'number',
    create: 'optional',
    update: 'clear',
    read: 'nullable',
    label: { one: 'height' },
  },
  item_dimensions_unit: {
    path: 'listing.item_dimensions_unit',
    part: 'fields',
    type: 'text',
    create: 'optional',
    update: 'clear',
    read: 'nullable',
    unit_of: ['item_length', 'item_width', 'item_height'],
    label: { one: 'dimensions unit' },
  },
  processing_min: {
    path: 'listing.processing_min',
    part: 'inventory',
    type: 'number',
    create: 'optional',
    label: { one: 'minimum processing time' },
  },
  processing_max: {
    path: 'listing.processing_max',
    part: 'inventory',
    type: 'number',
    create: 'optional',
    label: { one: 'maximum processing time' },
  },
  featured_rank: {
    part: 'fields',
    type: 'number',
    update: 'clear',
    read: 'nullable',
    label: { one: 'position among the featured listings' },
  },
  shipping_profile_id: {
    path: 'shops[].shipping_profile_id',
    part: 'fields',
    type: 'id',
    create: 'physical',
    update: 'set',
    read: 'nullable',
    is_physical: true,
    list: 'shipping_profiles',
    label: { one: 'shipping profile' },
  },
  return_policy_id: {
    path: 'shops[].return_policy_id',
    part: 'fields',
    type: 'id',
    create: 'optional',
    update: 'clear',
    read: 'nullable',
    is_physical: true,
    list: 'return_policies',
    label: { one: 'return policy' },
  },
  /** The marketplace has it for each combination; a request has it for each shop, too. */
  readiness_state_id: {
    path: 'shops[].processing_profile_id',
    part: 'inventory',
    type: 'id',
    create: 'physical',
    is_physical: true,
    list: 'processing_profiles',
    label: { one: 'processing profile' },
  },
  shop_section_id: {
    path: 'shops[].shop_section_id',
    part: 'fields',
    type: 'id',
    create: 'optional',
    update: 'clear',
    read: 'nullable',
    list: 'shop_sections',
    label: { one: 'shop section' },
  },
  production_partner_ids: {
    path: 'shops[].production_partner_ids',
    part: 'fields',
    type: 'ids',
    create: 'optional',
    update: 'clear',
    read: 'reads',
    list: 'production_partners',
    label: { one: 'production partner', many: 'production partners' },
  },
  gpsr_manufacturer_type: {
    path: 'shops[].gpsr.manufacturer_type',
    shared: 'listing.gpsr.manufacturer_type',
    part: 'fields',
    type: 'opaque',
    create: 'optional',
    update: 'clear',
    read: 'if_known',
    label: { one: 'manufacturer type' },
  },
  gpsr_manufacturer_id: {
    path: 'shops[].gpsr.manufacturer_id',
    shared: 'listing.gpsr.manufacturer_id',
    part: 'fields',
    type: 'opaque',
    create: 'optional',
    update: 'clear',
    read: 'if_known',
    is_of_shop: true,
    label: { one: 'manufacturer' },
  },
  gpsr_responsible_person_type: {
    path: 'shops[].gpsr.responsible_person_type',
    shared: 'listing.gpsr.responsible_person_type',
    part: 'fields',
    type: 'opaque',
    create: 'optional',
    update: 'clear',
    read: 'if_known',
    label: { one: 'responsible person type' },
  },
  gpsr_responsible_person_id: {
    path: 'shops[].gpsr.responsible_person_id',
    shared: 'listing.gpsr.responsible_person_id',
    part: 'fields',
    type: 'opaque',
    create: 'optional',
    update: 'clear',
    read: 'if_known',
    is_of_shop: true,
    label: { one: 'responsible person' },
  },
  gpsr_serial_number: {
    path: 'shops[].gpsr.serial_number',
    shared: 'listing.gpsr.serial_number',
    part: 'fields',
    type: 'opaque',
    create: 'optional',
    update: 'clear',
    read: 'if_known',
    label: { one: 'serial number' },
  },
  gpsr_safety_warnings: {
    path: 'shops[].gpsr.safety_warnings',
    shared: 'listing.gpsr.safety_warnings',
    part: 'fields',
    type: 'opaque',
    create: 'optional',
    update: 'clear',
    read: 'if_known',
    label: { one: 'safety warnings' },
  },
} as const satisfies Record<string, FieldRow>;

/** Names for people of the groups that contain fields in requests. */
export const FIELD_GROUPS: Readonly<Record<string, FieldLabel>> = {
  gpsr: { one: 'product safety (GPSR)' },
};

type Table = typeof LISTING_FIELDS;
export type FieldName = keyof Table;

/** Names of the fields whose row has these columns. */
export type FieldsWith<Columns> = {
  [Field in FieldName]: Table[Field] extends Columns ? Field : never;
}[FieldName];

type Values = {
  prose: string;
  words: string[];
  kind: 'physical' | 'digital';
  text: string;
  number: number;
  flag: boolean;
  id: number;
  ids: number[];
  opaque: string;
};
type Value<Field extends FieldName> = Values[Table[Field]['type']];

/** The fields that creating a draft sends, by their values; undefined ones are left out. */
export type CreatedFields = {
  [Field in FieldsWith<{ create: 'always' }>]: Value<Field>;
} & {
  [Field in FieldsWith<{ create: 'physical' | 'optional' }>]?: Value<Field> | undefined;
};

/** The fields that an update sets; null removes the value. Empty lists remove the values of a list. */
export type UpdatedFields = {
  [Field in FieldsWith<{ update: 'set' }>]?: Value<Field> | undefined;
} & {
  [Field in FieldsWith<{ update: 'clear' }>]?:
    Value<Field> | (Value<Field> extends unknown[] ? never : null) | undefined;
};

/** The fields that answers contain. */
export type ReadFields = {
  [Field in FieldsWith<{ read: 'always' | 'reads' }>]: Table[Field]['type'] extends 'kind'
    ? Value<Field> | 'both'
    : Value<Field>;
} & {
  [Field in FieldsWith<{ read: 'nullable' }>]: Value<Field> | null;
} & {
  [Field in FieldsWith<{ read: 'if_known' }>]?: Value<Field> | null | undefined;
};
