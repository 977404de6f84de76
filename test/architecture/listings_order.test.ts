import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSources, ROOT } from './sources.js';

const LISTINGS = 'src/core/listings/';

/**
 * The order of src/core/listings. A file imports only files of its own part and of earlier ones. If two
 * places match a file, the longer one counts.
 */
const PARTS: readonly (readonly [part: string, places: readonly string[]])[] = [
  ['fields', ['listing_fields.ts']],
  ['rules', ['rules/']],
  ['requests', ['names.ts', 'requests/']],
  ['variations', ['variations/']],
  ['snapshot', ['requests/own_changes.ts', 'snapshot/']],
  ['preflight', ['preflight/']],
  ['fees', ['fees/']],
  ['observed', ['observed/']],
  ['resolve', ['resolve/']],
  ['decide', ['decide/']],
  ['engine', ['engine/', 'jobs/hold.ts', 'jobs/meter.ts']],
  ['steps', ['steps/']],
  ['run', ['run/']],
  ['import', ['import/']],
  ['jobs', ['jobs/']],
  ['verbs', ['']],
];

const PLACES = PARTS.flatMap(([, places], index) => places.map((place) => ({ place, index })));

function findPart(path: string): number {
  const found = PLACES.filter(
    ({ place }) => place === '' || place === path || (place.endsWith('/') && path.startsWith(place)),
  );
  return found.toSorted((a, b) => b.place.length - a.place.length)[0]?.index ?? -1;
}

const later = readSources()
  .filter(({ file }) => file.startsWith(LISTINGS))
  .flatMap(({ file, imports }) =>
    imports
      .filter(({ target }) => target.startsWith(LISTINGS))
      .map(({ target }) => [file.slice(LISTINGS.length), target.slice(LISTINGS.length)] as const),
  )
  .filter(([path, target]) => findPart(target) > findPart(path))
  .map(([path, target]) => `${path} -> ${target}`);

describe('the parts of core/listings', () => {
  it('import no later part', () => {
    expect(later).toEqual([]);
  });

  it('are at existing places', () => {
    expect(PLACES.filter(({ place }) => !existsSync(join(ROOT, LISTINGS, place)))).toEqual([]);
  });
});
