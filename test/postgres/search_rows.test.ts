import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, inject, it, onTestFinished } from 'vitest';
import { migrate } from '../../src/store/engine/postgres/migrate.js';
import { toEndings, toSearchRow, toTerms } from '../../src/store/listings/search_text.js';
import { POSTGRES_SCHEMA } from '../../src/store/migrations/postgres/schema.js';
import { buildRequest } from '../store/samples/listing_samples.js';
import { createTestLog } from '../store/ports.js';
import { createDatabase, dropDatabase } from './databases.js';

const TITLES = [
  'Oak BOWL  oak',
  ' für\u2028Öl\u1680und\uFEFFEis\u00a0🫒 oliven\tbowl ',
  'ﷺ ㌀'.repeat(40),
  'x'.repeat(130),
];

it('listings that an earlier release saved are found by the same words as those that are saved now', async () => {
  const server = inject('postgres_url') ?? '';
  const name = `words_${randomBytes(6).toString('hex')}`;
  await createDatabase(server, name, 'template0');
  const client = new pg.Client({
    connectionString: Object.assign(new URL(server), { pathname: `/${name}` }).href,
  });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await dropDatabase(server, name);
  });
  const before = { steps: POSTGRES_SCHEMA.steps.slice(0, 2) };
  const options = { log: createTestLog(), pause: () => Promise.resolve() };
  await migrate(client, before, options);
  await client.query(
    "INSERT INTO accounts (account_id, name, is_default, created_at) VALUES ('account', 'one', 0, '2026-11-23')",
  );
  const rows = TITLES.map((title, index) => {
    const request = buildRequest([101, 1011].slice(0, 1 + (index % 2)));
    return { listing_pk: index + 1, ...toSearchRow({ ...request, listing: { ...request.listing, title } }) };
  });
  for (const { listing_pk, words, shops } of rows) {
    await client.query(
      `INSERT INTO listings (account_id, title, status, state, request, warnings, created_at, updated_at)
        VALUES ('account', '', 'draft', 'publish', '{}', '[]', '2026-11-23', '2026-11-23')`,
    );
    await client.query('INSERT INTO listing_words VALUES ($1, $2, $3, $4)', [
      'account',
      listing_pk,
      words,
      shops,
    ]);
  }
  await migrate(client, POSTGRES_SCHEMA, options);

  const ask = async (text: string) =>
    new Set((await client.query({ text, rowMode: 'array' })).rows.map(String));
  expect(await ask('SELECT term, listing_pk FROM listing_terms')).toEqual(
    new Set(rows.flatMap((row) => toTerms(row).map((term) => `${term},${row.listing_pk}`))),
  );
  expect(await ask('SELECT ending, term FROM listing_term_endings')).toEqual(
    new Set(rows.flatMap((row) => toEndings(row).map(({ ending, term }) => `${ending},${term}`))),
  );
  expect(await ask('SELECT listing_pk, title_key FROM listing_words')).toEqual(
    new Set(rows.map(({ listing_pk, title_key }) => `${listing_pk},${title_key}`)),
  );
});
