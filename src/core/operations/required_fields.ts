import { MARKETPLACE_FACTS } from '../../../schemas/marketplace_facts.js';

/**
 * Fields that every category requires of a listing (source: the API's resources table). Required category attributes declare
 * themselves.
 */
export const REQUIRED_FIELDS = [
  { field: 'shops[].shop_id', type: 'integer', description: 'A shop connected to the account' },
  {
    field: 'shops[].shipping_profile_id',
    type: 'integer',
    description: 'Physical listings: a shipping profile of that shop',
  },
  {
    field: 'shops[].return_policy_id',
    type: 'integer',
    description: 'Physical listings: a return policy of that shop',
  },
  {
    field: 'listing.title',
    type: 'string',
    description: `At most ${MARKETPLACE_FACTS.title_max_chars} characters`,
  },
  { field: 'listing.description', type: 'string', description: 'Plain text; newlines are kept' },
  { field: 'listing.listing_type', type: 'string', description: 'physical or digital' },
  { field: 'listing.taxonomy_id', type: 'integer', description: 'This category' },
  {
    field: 'listing.price',
    type: 'number',
    description: `At least ${MARKETPLACE_FACTS.price_min.toFixed(2)}, unless every offering has a price`,
  },
  {
    field: 'listing.quantity',
    type: 'integer',
    description: '1 to 999, unless every offering has a quantity',
  },
  { field: 'images', type: 'array', description: 'At least one image for state active' },
  { field: 'digital_files', type: 'array', description: 'Digital listings: 1 to 5 files' },
] as const;
