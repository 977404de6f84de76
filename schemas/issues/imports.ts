import type { Nothing } from './facts.js';

/** Reasons why a listing of a shop was not imported. */
export type ImportParams = {
  import_not_found: Nothing;
  import_of_other_shop: Nothing;
  import_removed: Nothing;
  import_refused: Nothing;
  import_without_category: Nothing;
  /** `job_id`: the last job of the listing. */
  import_contended: { job_id?: string };
  import_unfinished: { job_id: string | null };
  /** `own`: our listing that it already is. */
  import_managed: { own: number; join: number };
  import_join_gone: { listing_pk: number };
  /** `listing_id`: of our listing in the shop; null while it is being created. */
  import_place_taken: { shop_name: string; listing_id: number | null };
  import_shops_too_many: { count: number; most: number };
  import_product_differs: { by: 'title' | 'skus' };
};
