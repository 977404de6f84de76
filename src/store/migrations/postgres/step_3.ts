/** What stands between two words. */
const BETWEEN = String.raw`[\t\n\v\f\r \u1680\u2028\u2029\uFEFF]+`;

/** Listings are found by words and shops, and sorted by title, without a look at all of them. */
export const STEP_3 = [
  `
  ALTER TABLE listing_words ADD COLUMN title_key TEXT COLLATE "C" NOT NULL DEFAULT '';
  UPDATE listing_words SET title_key = substr(words, 1, 200);
  CREATE INDEX listing_words_by_title ON listing_words (account_id, title_key, listing_pk DESC);

  CREATE TABLE listing_terms (
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    term TEXT COLLATE "C" NOT NULL,
    listing_pk BIGINT NOT NULL,
    PRIMARY KEY (account_id, term, listing_pk)
  );

  CREATE TABLE listing_term_endings (
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    ending TEXT COLLATE "C" NOT NULL,
    term TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account_id, ending, term)
  );

  INSERT INTO listing_terms
    SELECT account_id, substr(word, 1, 100), listing_pk
    FROM listing_words, regexp_split_to_table(words, '${BETWEEN}') AS word
    WHERE word <> ''
    UNION
    SELECT account_id, ',' || shop_id || ',', listing_pk
    FROM listing_words, regexp_split_to_table(shops, ',+') AS shop_id
    WHERE shop_id <> '';

  INSERT INTO listing_term_endings
    SELECT DISTINCT account_id, substr(word, start, 60), substr(word, 1, 100)
    FROM (
      SELECT DISTINCT account_id, word
      FROM listing_words, regexp_split_to_table(words, '${BETWEEN}') AS word
      WHERE word <> ''
    ) AS words, generate_series(1, length(word)) AS start;
  `,
];
