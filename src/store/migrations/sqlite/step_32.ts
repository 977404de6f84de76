import type { Migration } from '../../engine/sqlite/migrate.js';
import { splitIndexed, toEndings, toTerms } from '../../listings/search_text.js';

/** Listings are found by words and shops, and sorted by title, without a look at all of them. */
export const step32: Migration = {
  up(sqlite) {
    sqlite.exec(`
      ALTER TABLE listing_words ADD COLUMN title_key TEXT NOT NULL DEFAULT '';
      UPDATE listing_words SET title_key = substr(words, 1, 200);
      CREATE INDEX listing_words_by_title ON listing_words (account_id, title_key, listing_pk DESC);

      CREATE TABLE listing_terms (
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        term TEXT NOT NULL,
        listing_pk INTEGER NOT NULL,
        PRIMARY KEY (account_id, term, listing_pk)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE listing_term_endings (
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        ending TEXT NOT NULL,
        term TEXT NOT NULL,
        PRIMARY KEY (account_id, ending, term)
      ) STRICT, WITHOUT ROWID;
    `);
    // Rows go in sorted by their keys: in the order of the listings each would go to another page of the file.
    sqlite.exec(`
      CREATE TEMP TABLE terms (account_id TEXT, term TEXT, listing_pk INTEGER);
      CREATE TEMP TABLE words (account_id TEXT, word TEXT, PRIMARY KEY (account_id, word)) WITHOUT ROWID;
      CREATE TEMP TABLE endings (account_id TEXT, ending TEXT, term TEXT);
    `);
    const insertTerm = sqlite.prepare('INSERT INTO terms VALUES (?, ?, ?)');
    const insertWord = sqlite.prepare('INSERT INTO words VALUES (?, ?) ON CONFLICT DO NOTHING');
    const insertEnding = sqlite.prepare('INSERT INTO endings VALUES (?, ?, ?)');
    const select = sqlite.prepare<[string, number], Row>(
      `SELECT account_id, listing_pk, words, shops FROM listing_words WHERE (account_id, listing_pk) > (?, ?)
       ORDER BY account_id, listing_pk LIMIT 500`,
    );
    let last: Pick<Row, 'account_id' | 'listing_pk'> = { account_id: '', listing_pk: 0 };
    for (;;) {
      const rows = select.all(last.account_id, last.listing_pk);
      for (const { account_id, listing_pk, ...row } of rows) {
        for (const term of toTerms(row)) insertTerm.run(account_id, term, listing_pk);
        for (const word of splitIndexed(row.words)) {
          if (insertWord.run(account_id, word).changes === 0) continue;
          for (const { ending, term } of toEndings({ words: word })) {
            insertEnding.run(account_id, ending, term);
          }
        }
      }
      const end = rows.at(-1);
      if (!end) break;
      last = end;
    }
    sqlite.exec(`
      INSERT INTO listing_terms SELECT account_id, term, listing_pk FROM terms ORDER BY 1, 2, 3;
      INSERT INTO listing_term_endings SELECT DISTINCT account_id, ending, term FROM endings ORDER BY 1, 2, 3;
      DROP TABLE terms;
      DROP TABLE words;
      DROP TABLE endings;
    `);
  },
};

type Row = { account_id: string; listing_pk: number; words: string; shops: string };
