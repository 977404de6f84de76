import type { Warning } from '../../../../schemas/job.js';
import type {
  DraftListing,
  Inventory,
  ListingAttribute,
  PersonalizationQuestion,
} from '../../ports/marketplace_listing.js';

/** A file that preflight has fetched, checked and stored. */
export type PlannedFile = {
  /** As the caller wrote it; a later job finds the same bytes by it. */
  url: string;
  sha256: string;
  size_bytes: number;
  filename: string;
  content_type: string;
  /** For a photo that was converted: how, as a sentence. */
  changed?: string;
  /** For a photo: its path in the request, `images[2]`. Older plans have none. */
  path?: string;
  /** For a photo; undefined where it has none. */
  alt_text?: string | undefined;
};

/** Photos by variation value: `image` is the 0-based position in `images` (rank order). */
export type PlannedVariationImages = { property_id: number; images: { value: string; image: number }[] };

/** One shop's part: everything that differs between shops is decided here. */
export type ShopPlan = {
  shop_id: number;
  shop_name: string;
  currency_code: string;
  draft: DraftListing;
  /** The inventory to write; undefined when creating the draft sends all of it. */
  inventory: Inventory | undefined;
  /** Its path in the request, `shops[2]`, where that is not its position in the plan. */
  position?: number;
  warnings: Warning[];
  /** The fields that differ in this shop from the listing's request: it was copied there with changes. */
  own?: OwnPlan;
};

/** A request that passed preflight, compiled: the pipeline works from this alone, also after a restart. */
export type PublishPlan = {
  state: 'publish' | 'active';
  images: PlannedFile[];
  videos: PlannedFile[];
  files: PlannedFile[];
  attributes: ListingAttribute[];
  variation_images: PlannedVariationImages | undefined;
  personalization: PersonalizationQuestion | undefined;
  /** About the listing as a whole; repeated in every shop's result. */
  warnings: Warning[];
  shops: ShopPlan[];
};

/** The part of a plan that is the same in all shops. */
export type OwnPlan = Omit<PublishPlan, 'state' | 'shops'>;

/** The plan as it is for one of its shops. */
export function toPlanOf(plan: PublishPlan, { own }: ShopPlan): PublishPlan {
  return own ? { ...plan, ...own } : plan;
}
