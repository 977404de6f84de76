/**
 * The orders that are known, the changes of each that were recorded, and when and by which process each shop is polled next.
 */
export const ORDERS = `
  CREATE TABLE order_watches (
    account_id TEXT COLLATE "C" NOT NULL,
    shop_id BIGINT NOT NULL,
    since TEXT COLLATE "C" NOT NULL,
    heard_until_s BIGINT,
    PRIMARY KEY (account_id, shop_id),
    FOREIGN KEY (account_id, shop_id) REFERENCES shops (account_id, shop_id) ON DELETE CASCADE
  );
  CREATE INDEX order_watches_by_shop ON order_watches (shop_id);

  CREATE TABLE heard_orders (
    account_id TEXT COLLATE "C" NOT NULL,
    shop_id BIGINT NOT NULL,
    receipt_id BIGINT NOT NULL,
    created_at_s BIGINT NOT NULL,
    is_paid BIGINT NOT NULL CHECK (is_paid IN (0, 1)),
    is_shipped BIGINT NOT NULL CHECK (is_shipped IN (0, 1)),
    is_delivered BIGINT NOT NULL CHECK (is_delivered IN (0, 1)),
    is_canceled BIGINT NOT NULL CHECK (is_canceled IN (0, 1)),
    summary TEXT COLLATE "C",
    PRIMARY KEY (account_id, shop_id, receipt_id),
    FOREIGN KEY (account_id, shop_id) REFERENCES order_watches (account_id, shop_id) ON DELETE CASCADE
  );
  CREATE INDEX heard_orders_by_age ON heard_orders (created_at_s);
  CREATE INDEX heard_orders_in_transit ON heard_orders (shop_id, created_at_s)
    WHERE is_shipped = 1 AND is_delivered = 0 AND is_canceled = 0;
  CREATE INDEX heard_orders_by_account ON heard_orders (account_id, created_at_s);

  CREATE TABLE order_polls (
    shop_id BIGINT NOT NULL PRIMARY KEY,
    claimed_by TEXT COLLATE "C",
    claimed_until TEXT COLLATE "C",
    next_at TEXT COLLATE "C",
    interval_ms BIGINT NOT NULL,
    next_transit_at TEXT COLLATE "C",
    fence BIGINT NOT NULL DEFAULT 0,
    looked_at TEXT COLLATE "C"
  );

  CREATE TABLE order_hints (
    webhook_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    shop_id BIGINT NOT NULL,
    receipt_id BIGINT NOT NULL,
    told TEXT COLLATE "C" NOT NULL,
    received_at TEXT COLLATE "C" NOT NULL,
    attempt BIGINT NOT NULL,
    due_at TEXT COLLATE "C",
    finished_at TEXT COLLATE "C"
  );
  CREATE INDEX order_hints_due ON order_hints (due_at)
    WHERE due_at IS NOT NULL;
  CREATE INDEX order_hints_finished ON order_hints (finished_at)
    WHERE finished_at IS NOT NULL;
`;
