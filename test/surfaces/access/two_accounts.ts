import { join } from 'node:path';
import { createSite } from '../../../src/compose/site.js';
import { openSqlite } from '../../../src/store/engine/sqlite/sqlite.js';
import { createHttpFace } from '../../../src/transports/index.js';
import { letIn } from '../../let_in.js';
import { buildMug, CLAY, LINEN, listTargets, startService, upload, type TestService } from '../../service.js';

/** Appears in all data of the first account that no other account may see. */
export const MARK = 'Heirloom';

type Owned = {
  account_id: string;
  key: string;
  key_id: string;
  /** A draft and a published listing. */
  draft_pk: number;
  listing_pk: number;
  job_id: string;
  batch_id: string;
  upload_url: string;
  grant_id: string;
  delivery_id: number;
  /** The body of the draft, with its key. */
  draft: Record<string, unknown>;
};

export type TwoAccounts = {
  service: TestService;
  url: string;
  /** Has everything: both shops, listings, uploads, a webhook destination, deliveries. */
  first: Owned;
  /** Also has LINEN, and nothing else. */
  second: { account_id: string; key: string };
  /** All rows of the first account in all tables, without the times of last use. */
  dumpFirst(): Record<string, unknown[]>;
  close(): Promise<void>;
};

/** @param receiver_url receives webhooks */
export async function startTwoAccounts(receiver_url: string): Promise<TwoAccounts> {
  const service = await startService();
  const { app } = service;
  const face = await createHttpFace(app.service, {
    host: '127.0.0.1',
    port: 0,
    trust_proxy: false,
    site: await createSite(app),
  });
  const first = await fill(service, receiver_url);
  const { account_id } = await app.core.accounts.create('second');
  const { key } = await app.core.accounts.createKey(account_id, 'second');
  await shareLinen(service, first.account_id, account_id);
  return {
    service,
    url: `http://127.0.0.1:${face.port}`,
    first,
    second: { account_id, key },
    dumpFirst: () => dump(join(service.data_dir, 'service.db'), first.account_id),
    async close() {
      await face.close(1_000);
      await service.close();
    },
  };
}

async function fill(service: TestService, receiver_url: string): Promise<Owned> {
  const { account_id } = await service.app.core.accounts.getDefault();
  const { key, key_id } = await service.app.core.accounts.createKey(account_id, MARK);
  const targets = await listTargets(service);
  const upload_url = await upload(service, 'photo-01.jpg');
  const [, linen] = targets;
  const draft = {
    ...buildMug(linen ? [linen] : [], { state: 'draft', idempotency_key: 'the-same-for-both' }),
  };
  const { listing_pk: draft_pk } = await service.call<{ listing_pk: number }>('listing_create', draft);
  const mug = buildMug(targets, { state: 'publish', images: [{ url: upload_url }] });
  const published = await service.call<{ listing_pk: number; job_id: string }>('listing_create', {
    ...mug,
    listing: { ...mug.listing, title: `${MARK} mug` },
  });
  const { batch_id } = await service.call<{ batch_id: string }>('batch_create', {
    select: { listing_pks: [published.listing_pk] },
    edits: [{ field: 'price', op: 'increase_percent', value: 10 }],
  });
  await service.call('webhook_endpoint_set', { url: `${receiver_url}/${MARK}` });
  const { delivery_id } = await service.call<{ delivery_id: number }>('webhook_test');
  const { grant_id } = await letIn(service.app.core, account_id, MARK);
  await service.app.core.saved_filters.save({ account_id, name: MARK, query: `q=${MARK}` });
  return {
    account_id,
    key,
    key_id,
    draft_pk,
    ...published,
    batch_id,
    upload_url,
    delivery_id,
    grant_id,
    draft,
  };
}

/** A shop may belong to two accounts; each has its own grant. */
export async function shareLinen({ app }: TestService, from: string, to: string): Promise<void> {
  const { shops, tokens } = app.store;
  const { shop_id } = LINEN;
  const shop = await shops.findShop({ account_id: from, shop_id });
  const kept = await tokens.findTokens({ account_id: from, shop_id });
  if (!shop || !kept) throw new Error('the sandbox has no such shop');
  await shops.saveShop({ ...shop, account_id: to });
  await tokens.saveTokens({ account_id: to, shop_id }, kept);
}

function dump(file: string, account_id: string): Record<string, unknown[]> {
  const sqlite = openSqlite(file, { readonly: true });
  const tables = sqlite
    .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => name)
    .filter((name) => listColumns(name).includes('account_id'));
  const rows = tables.map((name) => [
    name,
    sqlite
      .prepare<[string], Record<string, unknown>>(`SELECT * FROM ${name} WHERE account_id = ? ORDER BY 1, 2`)
      .all(account_id)
      .map(({ last_used_at: _used, ...row }) => row),
  ]);
  sqlite.close();
  return Object.fromEntries(rows) as Record<string, unknown[]>;

  function listColumns(table: string): string[] {
    return sqlite
      .prepare<[string], { name: string }>('SELECT name FROM pragma_table_info(?)')
      .all(table)
      .map(({ name }) => name);
  }
}

export { CLAY, LINEN };
