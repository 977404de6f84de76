import { MARKETPLACE_FACTS } from '../../schemas/marketplace_facts.js';

/* Mugs, a category that every shop of the sandbox can sell in. Lists are shortened. */

export const MUGS = 1062;
export const MUGS_PATH = 'Home & Living > Kitchen & Dining > Drink & Barware > Drinkware > Mugs';

export const categoriesSearchExamples = [
  {
    summary: 'The category of a mug',
    input: { keywords: 'ceramic mug', limit: 1 },
    output: {
      total: 1,
      categories: [
        {
          category_id: MUGS,
          name: 'Mugs',
          full_path: MUGS_PATH,
          is_leaf: true,
        },
      ],
    },
  },
];

export const listingSchemaExamples = [
  {
    summary: 'What a mug needs',
    input: { category_id: MUGS },
    output: {
      category_id: MUGS,
      full_path: MUGS_PATH,
      required_fields: [
        { field: 'shops[].shop_id', type: 'integer', description: 'A shop connected to the account' },
        {
          field: 'listing.title',
          type: 'string',
          description: `At most ${MARKETPLACE_FACTS.title_max_chars} characters`,
        },
      ],
      category_attributes: [
        {
          property_id: 200,
          name: 'Primary color',
          display_name: 'Primary color',
          possible_values: [{ value_id: 1, name: 'Beige', scale_id: null }],
          scales: [],
          is_required: false,
          is_multivalued: false,
          max_values: null,
        },
      ],
      variation_properties: [
        {
          property_id: 513,
          name: 'CUSTOM1',
          display_name: 'Custom Property 1',
          possible_values: [],
          scales: [],
        },
      ],
    },
  },
];
