import { FIELD_NAMES, getRow, toName, toPath } from '../../listings/listing_fields.js';

/*
 * Names that callers use for fields that the API names differently: the marketplace's own field names, and those of other
 * services. If a name has several meanings, it is the first that the object has.
 */

/** The marketplace's names of fields that requests name differently or put in a group. */
const OTHER_NAMES = Object.fromEntries(
  FIELD_NAMES.filter((field) => toName(field) !== field).map((field) => [
    field,
    [toName(field), toPath(field), ...[getRow(field).shared ?? []].flat()],
  ]),
);

/** Known at any place: the message names their field with its place. */
export const ALIASES: Readonly<Record<string, readonly string[]>> = {
  ...OTHER_NAMES,
  attributes: ['category_attributes'],
  category: ['taxonomy_id'],
  category_id: ['taxonomy_id'],
  characteristics: ['category_attributes'],
  check_only: ['dry_run'],
  combinations: ['offerings'],
  confirm_token: ['confirm'],
  confirmation_token: ['confirm'],
  downloads: ['digital_files'],
  files: ['digital_files'],
  image: ['url', 'images'],
  image_ids: ['images'],
  inventory: ['quantity'],
  is_personalizable: ['personalization.enabled'],
  media: ['images'],
  options: ['values', 'variations'],
  personalization_char_count_max: ['personalization.max_chars'],
  personalization_instructions: ['personalization.instructions'],
  personalization_is_required: ['personalization.is_required'],
  personalization_questions: ['personalization.instructions'],
  photo: ['url', 'images'],
  photos: ['images'],
  pictures: ['images'],
  preview: ['dry_run'],
  preview_only: ['dry_run'],
  products: ['offerings'],
  qty: ['quantity'],
  question_text: ['instructions'],
  questions: ['instructions'],
  section: ['shop_section_id'],
  section_id: ['shop_section_id'],
  shop_ids: ['shops'],
  simulate: ['dry_run'],
  status: ['state'],
  stock: ['quantity'],
  store: ['shop_id', 'shops'],
  store_id: ['shop_id'],
  store_ids: ['shops'],
  stores: ['shops'],
  test: ['dry_run'],
  test_mode: ['dry_run'],
  type: ['listing_type'],
  validate: ['dry_run'],
  validate_only: ['dry_run'],
  variants: ['offerings', 'variations'],
};

/** Words that have this meaning only in an object that has the field. */
export const ALIASES_IN_PLACE: Readonly<Record<string, readonly string[]>> = {
  active: ['enabled', 'state'],
  amount: ['quantity', 'value'],
  body: ['description'],
  cost: ['price'],
  details: ['description'],
  file_name: ['filename', 'name'],
  href: ['url'],
  id: ['listing_pk', 'job_id', 'shop_id'],
  is_active: ['enabled', 'state'],
  is_enabled: ['enabled'],
  is_main: ['rank'],
  is_primary: ['rank'],
  keywords: ['tags'],
  link: ['url'],
  listing_id: ['listing_pk', 'listing_ids'],
  max_allowed_characters: ['max_chars'],
  max_characters: ['max_chars'],
  max_length: ['max_chars'],
  mode: ['state'],
  name: ['title', 'filename'],
  option_values: ['values'],
  order: ['rank'],
  page: ['offset'],
  page_size: ['limit'],
  per_page: ['limit'],
  pk: ['listing_pk'],
  position: ['rank'],
  primary: ['rank'],
  prompt: ['instructions'],
  property_name: ['name'],
  publish: ['state'],
  q: ['keywords'],
  query: ['keywords'],
  search: ['keywords'],
  src: ['url'],
  uri: ['url'],
};

/** Keys that the API needs no field for, and why. They give a warning, and are never refused. */
export const WITHOUT_FIELD: Readonly<Record<string, 'currency_of_shop' | 'from_offerings'>> = {
  currency: 'currency_of_shop',
  currency_code: 'currency_of_shop',
  price_on_property: 'from_offerings',
  quantity_on_property: 'from_offerings',
  readiness_state_on_property: 'from_offerings',
  sku_on_property: 'from_offerings',
};
