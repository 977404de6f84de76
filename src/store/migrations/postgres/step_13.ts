/** Of a listing with very long SKUs, only some text is searched. Listings that are there have that once they are saved again. */
export const STEP_13 = [`ALTER TABLE listing_words ADD COLUMN rest TEXT COLLATE "C" NOT NULL DEFAULT '';`];
