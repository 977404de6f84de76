import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import { expect, it } from 'vitest';
import { ERRORS } from '../../src/core/errors.js';
import { buildInputSchema } from '../../src/transports/json_schema.js';
import listingCreate from '../../tools/listing_create.js';
import { buildInterface, findFacts, hasPages, INTERFACE, readInterface } from './interface.js';

/* This service's own interface as decided, which the service is checked against everywhere. */

const facts = readInterface();

it.skipIf(!hasPages)(
  'the facts equal those of the pages; npm run published:accept writes them (skipped without the pages)',
  async () => {
    const text = await format(JSON.stringify(buildInterface()), { parser: 'json', printWidth: 110 });
    await expect(text).toMatchFileSnapshot(fileURLToPath(INTERFACE));
  },
);

it('the error codes are the decided ones, each with its status', () => {
  const statuses = Object.entries(ERRORS).map(([code, { status }]) => [code, status]);
  expect(Object.fromEntries(statuses)).toEqual(facts.errors);
});

it.each(Object.entries(facts.listing_create))('listing_create advertises %s as decided', (path, decided) => {
  expect(findFacts(buildInputSchema(listingCreate), path)).toMatchObject(decided);
});
