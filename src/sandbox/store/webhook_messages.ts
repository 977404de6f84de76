import type { Database } from './database.js';
import type { Receipt, ReceiptFlags } from './receipts.js';

const EVENT_FLAGS = [
  ['is_paid', 'order.paid'],
  ['is_shipped', 'order.shipped'],
  ['is_delivered', 'order.delivered'],
  ['is_canceled', 'order.canceled'],
] as const satisfies readonly (readonly [keyof ReceiptFlags, string])[];

export type WebhookMessage = {
  message_id: string;
  event_type: string;
  shop_id: number;
  /** Its path below the API's address. */
  resource: string;
  attempts: number;
  due_at: number;
};

/** Where messages go and the secret that signs them; undefined if none are wanted. */
export type Subscription = { url: string; secret: string };

/** Only the last subscriber counts: every process on the file sends there. */
export function saveSubscription(db: Database, { url, secret }: Subscription): void {
  for (const [name, value] of [
    ['webhook_url', url],
    ['webhook_secret', secret],
  ] as const) {
    db.run(
      'INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      name,
      value,
    );
  }
}

export function findSubscription(db: Database): Subscription | undefined {
  const find = (name: string): string | undefined =>
    db.find<{ value: string }>('SELECT value FROM meta WHERE name = ?', name)?.value;
  const url = find('webhook_url');
  const secret = find('webhook_secret');
  return url === undefined || secret === undefined ? undefined : { url, secret };
}

/** One message for each change of the receipt since `before`. */
export function announceChanges(
  db: Database,
  before: ReceiptFlags | undefined,
  after: Receipt,
  now_ms: number,
  randomText: () => string,
): void {
  if (!findSubscription(db)) return;
  for (const [flag, event_type] of EVENT_FLAGS) {
    if (!after[flag] || before?.[flag]) continue;
    const { shop_id, receipt_id } = after;
    const resource = `shops/${shop_id}/receipts/${receipt_id}`;
    saveMessage(db, { message_id: `msg_${randomText()}`, event_type, shop_id, resource, due_at: now_ms });
  }
}

/** Stores a message to be sent. */
export function saveMessage(
  db: Database,
  { message_id, event_type, shop_id, resource, due_at }: Omit<WebhookMessage, 'attempts'>,
): void {
  db.run(
    'INSERT INTO webhook_messages VALUES (?,?,?,?,0,?)',
    message_id,
    event_type,
    shop_id,
    resource,
    due_at,
  );
}

/** Claims the message that has been due for longest, until a later time. */
export function takeDueMessage(db: Database, now_ms: number, until_ms: number): WebhookMessage | undefined {
  return db.find<WebhookMessage>(
    `UPDATE webhook_messages SET due_at = ?, attempts = attempts + 1 WHERE message_id =
       (SELECT message_id FROM webhook_messages WHERE due_at <= ? ORDER BY due_at, rowid LIMIT 1) RETURNING *`,
    until_ms,
    now_ms,
  );
}

export function postponeMessage(db: Database, message_id: string, due_at: number): void {
  db.run('UPDATE webhook_messages SET due_at = ? WHERE message_id = ?', due_at, message_id);
}

export function deleteMessage(db: Database, message_id: string): void {
  db.run('DELETE FROM webhook_messages WHERE message_id = ?', message_id);
}

export function findNextDue(db: Database): number | undefined {
  return (
    db.find<{ due_at: number | null }>('SELECT min(due_at) AS due_at FROM webhook_messages')?.due_at ??
    undefined
  );
}
