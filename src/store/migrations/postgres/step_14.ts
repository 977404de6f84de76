/** Puts the calls that count toward an application's limit per second into one row per application. */
export const STEP_14 = [
  `
  DROP TABLE app_places;
  ALTER TABLE app_limits ADD COLUMN slots TEXT COLLATE "C" NOT NULL DEFAULT '[]';
  `,
];
