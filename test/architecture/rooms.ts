/**
 * The rooms each room may import besides itself. A room missing here must not exist. src/README.md says the
 * same.
 */
export const HOUSE: Record<string, readonly string[]> = {
  schemas: [],
  core: ['schemas'],
  tools: ['core', 'schemas'],
  store: ['core', 'schemas', 'sqlite'],
  marketplace: ['core', 'schemas'],
  media: ['core', 'schemas'],
  blobs: ['core', 'schemas'],
  // Its one exception: it sends through the guarded connect.
  webhooks: ['core', 'schemas', 'media'],
  // Shared by all pages for people: layout, style, small components. It imports no other room.
  pages: [],
  transports: ['core', 'schemas', 'pages'],
  dashboard: ['core', 'schemas', 'pages'],
  world: ['core', 'schemas'],
  // The embedded marketplace shares no code with the service, like the real one; the only exception is
  // loading the SQLite addon.
  sandbox: ['sqlite'],
  config: ['world'],
  // Chooses between two packages of the SQLite addon.
  sqlite: [],
  version: [],
  compose: [
    'blobs',
    'config',
    'core',
    'dashboard',
    'marketplace',
    'media',
    'pages',
    'sandbox',
    'schemas',
    'store',
    'tools',
    'transports',
    'sqlite',
    'version',
    'webhooks',
    'world',
  ],
  cli: ['compose', 'config', 'core', 'sandbox', 'schemas', 'store', 'tools', 'transports', 'version'],
};

/** Narrower rules: our own modules that the files of a part may import, each a file or a folder. */
export const PARTS: Record<string, readonly string[]> = {
  'src/core/ports': ['src/core/ports', 'schemas'],
  'src/core/text': ['src/core/text', 'src/core/errors.ts', 'schemas'],
  'src/store': [
    'src/store',
    'src/core/ports',
    'src/core/text',
    'src/core/make_folder.ts',
    'src/core/async',
    'schemas',
    'src/sqlite.ts',
  ],
};
