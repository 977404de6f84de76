/*
 * The contents of a big installation's columns, as SQL over `n`, the number of a row from 1 on. Rows that
 * refer to each other use the same `n`. Background work is due long after every test: no row triggers a call.
 */

/** The size of a test's installation. */
export type Size = { listings: number; deliveries: number; files: number };

/** The number of rows a table gets, and the contents of columns that do not follow from their name or type. */
type Filling = { count: (size: Size) => number; columns?: Readonly<Record<string, string>> };

const OTHER_ACCOUNTS = 20;
/** Numbers of listings start after it, so the listings the service made itself keep theirs. */
const FIRST_LISTING = 1_000;
const SHOPS = 60;

const OTHER = `'acc_' || (n % ${OTHER_ACCOUNTS})`;
/** The default account is one of them: `default_account` is its id. */
const ANY = `iif(n % ${OTHER_ACCOUNTS + 1} = 0, (SELECT account_id FROM accounts WHERE is_default = 1), ${OTHER})`;
const PAST = "strftime('%Y-%m-%dT%H:%M:%fZ', 1780000000 + n / 7.0, 'unixepoch')";
const FAR = "'2099-01-01T00:00:00.000Z'";
/**
 * Everything that one of two databases may interpret differently: quotes, escapes, other planes, combining
 * marks, both directions.
 */
const ODD = String.raw`'Tasse № ' || n || ' „blau" l''été \x41 \u0000 \\ %s $1 {"a":null} 手作り 🏺👩🏽‍🎨 e' || char(769) || ' שלום' || char(9, 10, 13, 127, 8232, 65535, 1114109)`;
/** Text of `bytes` that hardly compresses. */
const bulk = (bytes: number): string => `hex(randomblob(${bytes / 2}))`;
const json = (members: string): string => `json_object(${members})`;
/** A value from a row that the service made itself. */
const copied = (table: string, column: string): string => `(SELECT ${column} FROM ${table} LIMIT 1)`;

const SHOP = `(70000000 + n % ${SHOPS})`;
const LISTING = `(${FIRST_LISTING} + n)`;
/** A value of a shop's account, which follows from the number of the shop. */
const OF_SHOP = `'acc_' || (n % ${SHOPS} % ${OTHER_ACCOUNTS})`;

const DRAFT = `'title', ${ODD}, 'description', 'Von Hand gemacht. ' || ${bulk(900)}, 'listing_type', 'physical', 'taxonomy_id', 1062`;
const REQUEST = json(
  `'state', 'publish', 'shops', json_array(json_object('shop_id', ${SHOP})), 'listing', ${json(DRAFT)}`,
);
const PLAN = json(
  `'state', 'publish', 'images', json('[]'), 'videos', json('[]'), 'files', json('[]'), 'attributes', json('[]'), 'warnings', json('[]'),
   'shops', json_array(json_object('shop_id', ${SHOP}, 'shop_name', 'Shop', 'currency_code', 'USD', 'warnings', json('[]'), 'draft',
     json_object(${DRAFT}, 'price', 40, 'quantity', 1, 'who_made', 'i_did', 'when_made', 'made_to_order', 'is_supply', json('false'))))`,
);

const few = (count: number): Filling['count'] => {
  return () => count;
};
const each = ({ listings }: Size): number => listings;
const part =
  (share: number): Filling['count'] =>
  ({ listings }) =>
    Math.max(1, Math.floor(listings * share));

/** Columns of many tables. */
const BY_NAME: Readonly<Record<string, string>> = {
  account_id: OTHER,
  shop_id: SHOP,
  listing_pk: LISTING,
  job_id: "'job_' || n",
  event_id: "'evt_' || n",
  claimed_by: 'NULL',
  claimed_until: 'NULL',
  expires_at: FAR,
  keep_until: FAR,
  due_at: FAR,
  next_at: FAR,
  next_transit_at: FAR,
  forget_at: FAR,
  stale_since: 'NULL',
  facts: json(`'n', n, 'of', ${ODD}`),
  warnings: "'[]'",
  fence: 'n % 5',
};

/**
 * By table. One that is not named here gets a few rows, whose contents follow from the names and types of its
 * columns.
 */
const FILLINGS: Readonly<Record<string, Filling>> = {
  accounts: {
    count: few(OTHER_ACCOUNTS),
    columns: { account_id: OTHER, name: "'Account ' || n", is_default: '0' },
  },
  listings: {
    count: each,
    columns: {
      account_id: ANY,
      title: ODD,
      status: "iif(n % 10 = 0, 'incomplete', 'published')",
      state: "'publish'",
      request: REQUEST,
      job_id: "iif(n % 9 = 0, NULL, 'job_' || n)",
    },
  },
  listing_words: { count: each, columns: { account_id: ANY } },
  jobs: {
    count: each,
    columns: {
      account_id: ANY,
      kind: "'publish'",
      state: "'publish'",
      status: "'completed'",
      plan: `iif(n % 4 = 0, 'null', ${PLAN})`,
      results: "'[]'",
      error_message: `iif(n % 50 = 0, ${ODD}, NULL)`,
      request_change: 'NULL',
      progress: 'NULL',
    },
  },
  job_parts: { count: part(0.1), columns: { account_id: ANY, part_id: 'n % 3', progress: json("'n', n") } },
  publications: {
    count: each,
    columns: {
      account_id: ANY,
      listing_id: 'iif(n % 11 = 0, NULL, 9007199254740991 - n)',
      progress: "'{}'",
      activation_intended_at: 'NULL',
      state: "iif(n % 3 = 0, NULL, 'active')",
      shown: 'NULL',
    },
  },
  snapshots: { count: part(0.2), columns: { account_id: ANY, snapshot: json(DRAFT) } },
  activations: { count: part(0.5), columns: { account_id: ANY } },
  key_bindings: { count: each, columns: { account_id: ANY, key: "'key ' || n", digest: bulk(64) } },
  digest_bindings: { count: each, columns: { account_id: ANY, digest: `${bulk(64)} || n` } },
  listing_uploads: { count: ({ files }) => files, columns: { account_id: ANY, upload_id: "'upl_' || n" } },
  events: {
    count: ({ deliveries }) => deliveries,
    columns: {
      account_id: ANY,
      event_type: "iif(n % 2, 'order.paid', 'order.shipped')",
      sealed_payload: 'iif(n % 3 = 0, NULL, randomblob(300 + n % 64))',
      change_key: "iif(n % 5 = 0, NULL, 'change_' || n)",
    },
  },
  deliveries: {
    count: ({ deliveries }) => deliveries,
    columns: {
      id: 'n',
      account_id: ANY,
      url: "'http://127.0.0.1:9/hooks'",
      attempt: '1',
      status:
        "CASE WHEN n * 37 % 100 < 90 THEN 'success' WHEN n * 37 % 100 < 98 THEN 'failed' ELSE 'pending' END",
      error: `iif(n % 100 < 8, ${ODD}, NULL)`,
      step: '0',
    },
  },
  webhook_endpoints: {
    count: few(OTHER_ACCOUNTS),
    columns: { url: "'http://127.0.0.1:9/hooks'", events: `'["order.paid"]'`, is_enabled: '0' },
  },
  shops: {
    count: few(SHOPS),
    columns: {
      account_id: OF_SHOP,
      is_reconnect_required: '0',
      ...Object.fromEntries(
        [
          'details',
          'shipping_profiles',
          'shop_sections',
          'return_policies',
          'processing_profiles',
          'production_partners',
        ].map((column) => [column, copied('shops', column)]),
      ),
    },
  },
  shop_tokens: {
    count: few(SHOPS),
    columns: { account_id: OF_SHOP, access_expires_at: FAR, scopes: "'shops_r'", keystring: 'NULL' },
  },
  order_watches: { count: few(SHOPS), columns: { account_id: OF_SHOP } },
  order_polls: { count: few(SHOPS) },
  listing_looks: { count: few(SHOPS), columns: { account_id: OF_SHOP } },
  refresh_locks: { count: few(SHOPS), columns: { account_id: OF_SHOP, owner: 'NULL' } },
  heard_orders: {
    count: part(0.5),
    columns: {
      account_id: OF_SHOP,
      created_at_s: '1780000000 + n',
      summary: `iif(n % 3 = 0, NULL, ${json("'n', n")})`,
    },
  },
  order_hints: { count: part(0.1), columns: { told: json("'n', n") } },
  uploads: {
    count: ({ files }) => files,
    columns: {
      account_id: ANY,
      upload_id: "'upl_' || n",
      sha256: '(SELECT sha256 FROM temp.files WHERE rowid = n)',
      size_bytes: '(SELECT size_bytes FROM temp.files WHERE rowid = n)',
      filename: `${ODD} || '.jpg'`,
      content_type: "'image/jpeg'",
      type: "'image'",
    },
  },
  kept_files: {
    count: ({ files }) => files,
    columns: { account_id: ANY, sha256: '(SELECT sha256 FROM temp.files WHERE rowid = n)' },
  },
  edit_licenses: { count: few(50) },
  grants: { count: few(50), columns: { scope: "iif(n % 2, 'read', 'read write')" } },
  oauth_clients: { count: few(50), columns: { redirect_uris: "'[]'" } },
  category_schemas: { count: few(30), columns: { category_id: '900000 + n', schema: json(`'of', ${ODD}`) } },
  category_tree: { count: few(1), columns: { id: '1', categories: "'[]'" } },
  master_key_check: { count: few(0) },
  restores: { count: few(2), columns: { restore_id: 'n', last_listing_pk: '1' } },
  recent_calls: { count: few(2_000), columns: { called_at_ms: '1780000000000 + n' } },
  call_counts: { count: few(OTHER_ACCOUNTS), columns: { day_started_at_ms: '1780000000000' } },
};

/** Sums over other tables, computed when those are filled. */
export const SUMS: Readonly<Record<string, string>> = {
  listing_totals: `SELECT account_id, status, count(*) AS total, sum(octet_length(request)) AS bytes FROM listings GROUP BY account_id, status`,
  delivery_totals: 'SELECT account_id, status, count(*) AS total FROM deliveries GROUP BY account_id, status',
  upload_totals: 'SELECT account_id, sum(size_bytes) AS bytes FROM uploads GROUP BY account_id',
};

export function getCount(table: string, size: Size): number {
  return (FILLINGS[table]?.count ?? few(OTHER_ACCOUNTS))(size);
}

/** An expression for a column of any table. */
export function toExpression(
  table: string,
  { name, type, is_required }: { name: string; type: string; is_required: boolean },
): string {
  const known = FILLINGS[table]?.columns?.[name] ?? BY_NAME[name];
  if (known !== undefined) return known;
  const value = toValue(name, type);
  return is_required ? value : `iif(n % 3 = 0, NULL, ${value})`;
}

function toValue(name: string, type: string): string {
  if (name.startsWith('is_')) return 'n % 2';
  if (name.endsWith('_at')) return PAST;
  if (type === 'INTEGER') return '9007199254740991 - n';
  if (type === 'BLOB') return 'randomblob(64 + n % 64)';
  return /sha256|digest/.test(name) ? `${bulk(64)} || n` : ODD;
}
