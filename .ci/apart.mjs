/**
 * Packages that keep files of their own: addons, and a decoder that only a thread loads and whose license
 * requires keeping it separate.
 */
export const APART = new Set(['better-sqlite3', 'better-sqlite3-13', 'sharp', 'libheif-js']);
