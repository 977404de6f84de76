import type { CategorySchema } from '../../../../../schemas/category.js';
import type { ListingChanges } from '../../../../../schemas/listing_changes.js';
import type { ListingRequest } from '../../../../../schemas/listing_request.js';
import type { ConnectedShop } from '../../../ports/index.js';
import type { PlannedFile } from '../../../ports/listing/target.js';
import type { MediaIds } from './media_ids.js';

/** A change of a listing, before and after, to compile for one of its shops. */
export type ChangeInput = {
  saved: ListingRequest;
  request: ListingRequest;
  changes: ListingChanges;
  changed: readonly string[];
  /** Translates a path in the request to the path in the call. */
  toPath: (path: string) => string;
  /** Position of the shop in shops[]. */
  index: number;
  shop: ConnectedShop;
  schema: CategorySchema | undefined;
  /** By toMediaKey. */
  files: ReadonlyMap<string, PlannedFile>;
  media_ids: MediaIds;
};
