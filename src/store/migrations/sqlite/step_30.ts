import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { Migration } from '../../engine/sqlite/migrate.js';
import { toWholeRow } from '../../listings/search_text.js';

/** What listings are found by, and what of an order its seller sees again later. */
export const step30: Migration = {
  up(sqlite) {
    sqlite.exec(`
      CREATE TABLE listing_words (
        account_id TEXT NOT NULL,
        listing_pk INTEGER NOT NULL,
        words TEXT NOT NULL,
        shops TEXT NOT NULL,
        PRIMARY KEY (account_id, listing_pk),
        FOREIGN KEY (account_id, listing_pk) REFERENCES listings (account_id, listing_pk) ON DELETE CASCADE
      ) STRICT, WITHOUT ROWID;

      CREATE INDEX listings_kept ON listings (account_id, listing_pk) WHERE status <> 'given_up';
      CREATE INDEX listings_by_change ON listings (account_id, updated_at, listing_pk);
      CREATE INDEX publications_by_state ON publications (account_id, state, listing_pk, shop_id)
        WHERE state IS NOT NULL;

      ALTER TABLE heard_orders ADD COLUMN summary TEXT;
      CREATE INDEX heard_orders_by_account ON heard_orders (account_id, created_at_s);
    `);
    const insert = sqlite.prepare(
      `INSERT INTO listing_words (account_id, listing_pk, words, shops) VALUES (?, ?, ?, ?)`,
    );
    // Some at a time: all requests of a large folder would be hundreds of megabytes.
    const select = sqlite.prepare<[string, number], Row>(
      `SELECT account_id, listing_pk, request FROM listings WHERE (account_id, listing_pk) > (?, ?)
       ORDER BY account_id, listing_pk LIMIT 500`,
    );
    let last: Pick<Row, 'account_id' | 'listing_pk'> = { account_id: '', listing_pk: 0 };
    for (;;) {
      const rows = select.all(last.account_id, last.listing_pk);
      for (const { account_id, listing_pk, request } of rows) {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- kept by an earlier version of the same form
        const { words, shops } = toWholeRow(JSON.parse(request) as ListingRequest);
        insert.run(account_id, listing_pk, words, shops);
      }
      const end = rows.at(-1);
      if (!end) break;
      last = end;
    }
  },
};

type Row = { account_id: string; listing_pk: number; request: string };
