import { expect, it } from 'vitest';
import { openAddon } from '../../../src/sqlite.js';
import { migrate } from '../../../src/store/engine/sqlite/migrate.js';
import { SERVICE_SCHEMA } from '../../../src/store/migrations/sqlite/schema.js';
import { SHOWN_BEFORE, toBaseline } from '../samples/shown_before.js';

it('brings baselines that displaying a listing has moved back to what was last written', () => {
  const sqlite = openAddon(':memory:');
  const { initial, before, later } = SERVICE_SCHEMA;
  migrate(sqlite, 'service.db', { initial, before, later: later.slice(0, 35 - initial.version) });
  sqlite.pragma('foreign_keys = OFF');
  const insert = sqlite.prepare(
    "INSERT INTO snapshots (account_id, listing_pk, shop_id, snapshot, taken_at) VALUES ('account', 1, ?, ?, '2026-11-23')",
  );
  for (const [index, snapshot] of SHOWN_BEFORE.entries()) insert.run(index, JSON.stringify(snapshot));
  migrate(sqlite, 'service.db', SERVICE_SCHEMA);
  const rows = sqlite
    .prepare<[], { snapshot: string }>('SELECT snapshot FROM snapshots ORDER BY shop_id')
    .all();
  sqlite.close();
  expect(rows.map(({ snapshot }) => JSON.parse(snapshot) as unknown)).toEqual(SHOWN_BEFORE.map(toBaseline));
});
