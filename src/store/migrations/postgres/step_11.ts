/** An upload address ends with the key or the grant that asked for it. */
export const STEP_11 = [
  `
  ALTER TABLE upload_links ADD COLUMN key_id TEXT COLLATE "C";
  ALTER TABLE upload_links ADD COLUMN grant_id TEXT COLLATE "C";
  `,
];
