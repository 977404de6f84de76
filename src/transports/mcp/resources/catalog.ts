/** A resource: one read operation under a URI, to attach to a conversation. */
export type Resource = {
  /** URI template; its {parameters} are inputs of the operation. */
  uri: string;
  name: string;
  title: string;
  description: string;
  operation_id: string;
  /** By parameter, the kind of thing that its value identifies. */
  completes?: Readonly<Record<string, 'shop' | 'category'>>;
};

const SCHEME = 'listing-service:/';

/** In listing order. */
export const RESOURCES: readonly Resource[] = [
  {
    uri: `${SCHEME}/stores`,
    name: 'stores',
    title: 'Connected shops',
    description: 'The shops of the account, with their ids.',
    operation_id: 'stores_list',
  },
  {
    uri: `${SCHEME}/stores/{shop_id}`,
    name: 'store',
    title: 'A shop',
    description: 'What the service keeps about a shop: details, shipping profiles and sections.',
    operation_id: 'store_details_cached',
    completes: { shop_id: 'shop' },
  },
  {
    uri: `${SCHEME}/categories/{category_id}`,
    name: 'category_schema',
    title: 'What a category takes',
    description: 'Required fields, attributes and variation properties of a category.',
    operation_id: 'listing_schema',
    completes: { category_id: 'category' },
  },
  {
    uri: `${SCHEME}/listings`,
    name: 'listings',
    title: 'Saved listings',
    description: 'Drafts and what became of them, newest first.',
    operation_id: 'listings_list',
  },
  {
    uri: `${SCHEME}/listings/{listing_pk}`,
    name: 'listing',
    title: 'A saved listing',
    description: 'A draft as it was sent, its last job, and what exists in each shop.',
    operation_id: 'listing_get',
  },
  {
    uri: `${SCHEME}/jobs/{job_id}`,
    name: 'job',
    title: 'A job',
    description: 'The result of listing a product, shop by shop.',
    operation_id: 'listing_create_status',
  },
];
