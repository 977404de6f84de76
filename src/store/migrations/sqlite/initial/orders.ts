/**
 * The orders that are known, the changes of each that were recorded, and when and by which process each shop is polled next.
 */
export const ORDERS = `
  CREATE TABLE order_watches (
    account_id TEXT NOT NULL,
    shop_id INTEGER NOT NULL,
    since TEXT NOT NULL,
    heard_until_s INTEGER,
    PRIMARY KEY (account_id, shop_id),
    FOREIGN KEY (account_id, shop_id) REFERENCES shops (account_id, shop_id) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX order_watches_by_shop ON order_watches (shop_id);

  CREATE TABLE heard_orders (
    account_id TEXT NOT NULL,
    shop_id INTEGER NOT NULL,
    receipt_id INTEGER NOT NULL,
    created_at_s INTEGER NOT NULL,
    is_paid INTEGER NOT NULL CHECK (is_paid IN (0, 1)),
    is_shipped INTEGER NOT NULL CHECK (is_shipped IN (0, 1)),
    is_delivered INTEGER NOT NULL CHECK (is_delivered IN (0, 1)),
    is_canceled INTEGER NOT NULL CHECK (is_canceled IN (0, 1)),
    summary TEXT,
    PRIMARY KEY (account_id, shop_id, receipt_id),
    FOREIGN KEY (account_id, shop_id) REFERENCES order_watches (account_id, shop_id) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX heard_orders_by_age ON heard_orders (created_at_s);
  CREATE INDEX heard_orders_in_transit ON heard_orders (shop_id, created_at_s)
    WHERE is_shipped = 1 AND is_delivered = 0 AND is_canceled = 0;
  CREATE INDEX heard_orders_by_account ON heard_orders (account_id, created_at_s);

  CREATE TABLE order_polls (
    shop_id INTEGER NOT NULL PRIMARY KEY,
    claimed_by TEXT,
    claimed_until TEXT,
    next_at TEXT,
    interval_ms INTEGER NOT NULL,
    next_transit_at TEXT,
    fence INTEGER NOT NULL DEFAULT 0,
    looked_at TEXT
  ) STRICT;

  CREATE TABLE order_hints (
    webhook_id TEXT NOT NULL PRIMARY KEY,
    shop_id INTEGER NOT NULL,
    receipt_id INTEGER NOT NULL,
    told TEXT NOT NULL,
    received_at TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    due_at TEXT,
    finished_at TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX order_hints_due ON order_hints (due_at)
    WHERE due_at IS NOT NULL;
  CREATE INDEX order_hints_finished ON order_hints (finished_at)
    WHERE finished_at IS NOT NULL;
`;
