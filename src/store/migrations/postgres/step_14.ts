/** One row per application has the calls that count towards its limit per second. */
export const STEP_14 = [
  `
  DROP TABLE app_places;
  ALTER TABLE app_limits ADD COLUMN slots TEXT COLLATE "C" NOT NULL DEFAULT '[]';
  `,
];
