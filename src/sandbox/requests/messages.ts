/** Known messages of the marketplace, word for word, including misspellings. */
export const VERBATIM = {
  secret_missing: 'Shared secret is required in x-api-key header.',
  no_user: 'No user was provided as part of the bearer token.',
  insufficient_scope: 'Insufficient scope',
  token_expired: 'access token is expired',
  refresh_revoked: 'refresh_token is revoked',
  rate_per_second: 'Exceeded per second rate limit',
  not_found: 'Resource not found',
  readiness_required: 'A readiness_state_id is required for physical listings.',
  readiness_on_offerings: 'All offerings need readiness state',
  property_values_missing: "Property values can't be empty",
  price_not_a_number: "Expected float value for 'price' (got NULL).",
  property_name_missing: "Expected string value for 'property_name' (got NULL)",
  image_missing: 'Either a valid image file or a listing_image_id must be provided.',
  file_upload_failed: 'An error ocurred while uploading your file, please try again.',
  file_missing: 'Either a valid listing_file_id or file must be provided.',
  digital_without_file: 'There was a problem with /file/attachments : You must attach at least one file.',
  frozen: "This listing is not publishable because it's frozen",
  not_sellable: 'There was a problem with /marketplace : Oh dear, you cannot sell this item on Etsy.',
  invalid_characters: 'contains invalid characters',
  too_few_items: 'cannot be less than 1 items',
} as const;

/** Known messages with a placeholder. The image limit was seen as 10 and has since become 20. */
export const VERBATIM_WITH = {
  missingInput: (names: string) => `Missing Input Parameter: [${names}]`,
  maxVariationsInvalid: (value: string) =>
    `Invalid value (${value}) for query parameter max_variations_supported.`,
  tooManyVariations: (most: number) =>
    `Could not update inventory with unsupported number of variations. The maximum number of supported variations is ${most}.`,
  onPropertyCount: (field: string, all: number) =>
    `${field}: unsupported number of property IDs. Supports only zero, one, or all variation properties (${all}).`,
  imagesFull: (most: number) =>
    `Listings are only allowed ${most} images. Please delete a ListingImage before trying to upload another.`,
} as const;

/** Messages of our own, where the marketplace refuses with unknown wording. */
export const INVENTED = {
  key_unknown: 'The x-api-key does not belong to an application.',
  token_unknown: 'access token is unknown',
  token_revoked: 'access token is revoked',
  rate_per_day: 'Exceeded per day rate limit',
  not_owner_of_shop: 'The shop does not belong to the user of the bearer token.',
  not_owner_of_listing: 'The listing does not belong to the user of the bearer token.',
  shop_not_found: 'Could not find a shop with this shop_id.',
  listing_not_found: 'Could not find a listing with this listing_id.',
  content_type_form: 'The body must be sent as application/x-www-form-urlencoded.',
  json_malformed: 'The body is not valid JSON.',
  body_malformed: 'The body could not be read.',
  server_error: 'Server Error',
  file_not_writable: 'The sandbox cannot write its own file in DATA_DIR: the disk is full, or not writable.',
  no_stock: 'At least one offering must be enabled with a quantity greater than 0.',
  digital_no_variations: 'Digital listings cannot have variations.',
  digital_no_readiness: 'Digital listings cannot have processing profiles.',
  personalization_fields: 'Personalization is set with the personalization endpoints, not with the listing.',
  shipping_profile_required: 'A shipping_profile_id is required for physical listings.',
  return_policy_required: 'A return_policy_id is required to activate a physical listing.',
  state_from_draft: 'A draft can be activated, not deactivated.',
  state_removed: 'A removed listing cannot change its state.',
  shop_on_vacation: 'Listings cannot be activated while the shop is on vacation.',
  price_too_high: 'The price must not be more than 50000 USD.',
  price_positive: 'The price must be greater than 0.',
  three_belong_together: 'who_made, when_made and is_supply are given together.',
  videos_full: 'A listing has at most 2 videos. Delete one before adding another.',
  video_missing: 'Either a video with its name or a video_id must be provided.',
  video_type: 'The video must be an MP4 or MOV file.',
  video_length: 'A video lasts 3 to 15 seconds.',
  video_small: 'A video has at least 500 pixels.',
  files_full: 'A listing has at most 5 files.',
  file_name: 'The name has 1 to 70 characters out of letters, digits, periods, underscores and hyphens.',
  file_too_large: 'A file is at most 20 MB.',
  type_change_with_variations: 'A listing with variations cannot become a digital listing.',
  personalization_would_delete:
    'The listing has several personalization questions. Pass supports_multiple_personalization_questions to replace them.',
  variation_image_one_property: 'Variation images can be linked to one property only.',
  variation_image_duplicate: 'variation_images must not contain duplicates.',
  language_unknown: 'A listing cannot be translated into this language.',
  translation_exists: 'The listing has a translation into this language already.',
  product_not_one: 'Name one product by its sku or its values.',
  stock_short: 'There are not so many of this product.',
  not_in_sandbox: 'This operation is not in this sandbox.',
} as const;

/** The same with a placeholder. */
export const INVENTED_WITH = {
  periodUnknown: (value: string, periods: readonly string[]) =>
    `Invalid value (${value}) for parameter when_made. Expected one of: ${periods.join(', ')}.`,
  operatorUnknown: (name: string, value: string) => `Invalid value (${value}) for parameter ${name}.`,
} as const;
