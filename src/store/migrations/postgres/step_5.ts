/** Which marketplace the database belongs to: the first that it was used with. */
export const STEP_5 = [
  `
  CREATE TABLE marketplace_owner (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    marketplace TEXT COLLATE "C" NOT NULL
  );
  `,
];
