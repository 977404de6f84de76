import type { Migration } from '../../../engine/sqlite/migrate.js';

/** Changes no table: an older release cannot read the plans of publishing that this one stores. */
export const step46: Migration = { up: () => undefined };
