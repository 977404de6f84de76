/**
 * Facts from the marketplace's documentation and help pages as of the day below. They will change one day: the open period
 * and the twenty-year vintage boundary of when_made move with each year. No other code of the product repeats these. Only the
 * sandbox has a copy of its own, in src/sandbox/rules, on purpose: if it took its rules from here, it would agree with every
 * mistake in them. `listing-service doctor --facts` compares them with the published document.
 */
export const MARKETPLACE_FACTS = {
  as_of: '2026-11-20',
  source: 'Etsy Open API v3 document of 2026-09-26 and help pages 360000336307, 115015663347, 115015628347',

  who_made: ['i_did', 'someone_else', 'collective'],
  when_made: [
    'made_to_order',
    '2020_2026',
    '2010_2019',
    '2007_2009',
    'before_2007',
    '2000_2006',
    '1990s',
    '1980s',
    '1970s',
    '1960s',
    '1950s',
    '1940s',
    '1930s',
    '1920s',
    '1910s',
    '1900s',
    '1800s',
    '1700s',
    'before_1700',
  ],
  /** The period that contains the current year. */
  open_when_made: '2020_2026',
  item_weight_units: ['oz', 'lb', 'g', 'kg'],
  item_dimensions_units: ['in', 'ft', 'mm', 'cm', 'm', 'yd', 'inches'],

  title_max_chars: 140,
  /** Not published anywhere; far longer than the descriptions of active listings. */
  description_max_chars: 102_400,
  /** Regular expressions of refused characters in a text, each for one character; use them with the flag u. */
  title_forbidden: String.raw`[^\p{L}\p{Nd}\p{P}\p{Sm}\p{Zs}™©®]`,
  tag_forbidden: String.raw`[^\p{L}\p{Nd}\p{Zs}\-'™©®]`,
  /** Of materials and styles. */
  word_forbidden: String.raw`[^\p{L}\p{Nd}\p{Zs}]`,
  property_value_forbidden: '[()]',
  digital_file_name_forbidden: '[^A-Za-z0-9._-]',
  /** A title may contain each of them once. */
  title_once: ['%', ':', '&', '+'],
  tags_per_listing: 13,
  tag_max_chars: 20,
  /** Not published anywhere; the limit that other tools use. */
  materials_per_listing: 13,
  styles_per_listing: 2,
  style_max_chars: 45,
  price_min: 0.2,
  /** In USD; the limit in other currencies is not published. */
  price_max_usd: 50_000,
  /** Of one product. */
  quantity_max: 999,
  alt_text_max_chars: 500,
  personalization_answer_max_chars: 1024,
  personalization_instructions_max_chars: 120,
  /** This many consecutive words in capitals are refused; fewer are not. */
  personalization_capital_words_in_a_row: 3,
  digital_files_per_listing: 5,
  digital_file_name_max_chars: 70,
  digital_file_max_bytes: 20 * 1024 * 1024,
  sku_sent_chars: 32,
  /** The reported limits are 70 products with one property and 4,900 with two. */
  values_per_property: 70,
  /** Ids of the properties that a seller names freely. */
  custom_property_ids: [513, 514],
  /** Pixels of the longer side of the full-size photo; the marketplace makes a larger one smaller. */
  full_image_max_side: 3_000,
  /** Not published anywhere; the limit for a digital file. */
  image_max_bytes: 20 * 1024 * 1024,
  images_per_listing: 20,
  videos_per_listing: 2,
  /** One help page says 5. */
  video_min_seconds: 3,
  /** The page does not say which side it means: a video whose longer side is shorter is certainly too small. */
  video_min_pixels: 500,
  /** For four months on sale. */
  listing_fee_usd: 0.2,
  /** Currencies of shops whose prices have no decimals. */
  currencies_without_decimals: ['JPY', 'KRW', 'VND', 'CLP', 'ISK', 'HUF', 'TWD', 'UGX', 'XAF', 'XOF', 'XPF'],
} as const;

/** Formatted for people. */
export const LISTING_FEE = `${MARKETPLACE_FACTS.listing_fee_usd.toFixed(2)} USD`;
