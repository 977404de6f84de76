/** Packages with files of their own: addons. */
export const APART = new Set(['better-sqlite3', 'sharp']);
