import type { Selectable, Transaction } from 'kysely';
import type { Application, ApplicationStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';
import type { SecretPlace, Secrets } from '../secrets/secrets.js';

type ApplicationRow = Selectable<Tables['applications']>;

/**
 * Applications that accounts bring with their shops, with their secrets encrypted. They are stored and deleted with the
 * tokens that were issued to them.
 */
export function createApplicationRepository({ read }: Engine<Tables>, secrets: Secrets): ApplicationStore {
  return {
    findApplication: (account_id, keystring) =>
      read(async (trx) => {
        const row = await trx
          .selectFrom('applications')
          .selectAll()
          .where('account_id', '=', account_id)
          .where('keystring', '=', keystring)
          .executeTakeFirst();
        return row && toApplication(row, secrets);
      }),
    listApplications: (account_id) => read((trx) => listApplications(trx, secrets, account_id)),
    findShopApplication: ({ account_id, shop_id }) =>
      read(async (trx) => {
        const row = await trx
          .selectFrom('shop_tokens')
          .innerJoin('applications', (join) =>
            join
              .onRef('applications.account_id', '=', 'shop_tokens.account_id')
              .onRef('applications.keystring', '=', 'shop_tokens.keystring'),
          )
          .selectAll('applications')
          .where('shop_tokens.account_id', '=', account_id)
          .where('shop_tokens.shop_id', '=', shop_id)
          .executeTakeFirst();
        return row ? toApplication(row, secrets) : null;
      }),
    listWebhookSecrets: (shop_id) =>
      read(async (trx) => {
        const rows = await trx
          .selectFrom('applications')
          .innerJoin('shop_tokens', (join) =>
            join
              .onRef('shop_tokens.account_id', '=', 'applications.account_id')
              .onRef('shop_tokens.keystring', '=', 'applications.keystring'),
          )
          .selectAll('applications')
          .where('shop_tokens.shop_id', '=', shop_id)
          .where('applications.webhook_secret', 'is not', null)
          .execute();
        return rows.flatMap((row) => toApplication(row, secrets).webhook_secret ?? []);
      }),
    hasWebhookSecrets: () =>
      read(async (trx) => {
        const row = await trx
          .selectFrom('applications')
          .select('keystring')
          .where('webhook_secret', 'is not', null)
          .limit(1)
          .executeTakeFirst();
        return row !== undefined;
      }),
  };
}

/** The applications of one account, oldest first. Throws StoreError if they were encrypted with another master key. */
export async function listApplications(
  trx: Transaction<Tables>,
  secrets: Pick<Secrets, 'unseal'>,
  account_id: string,
): Promise<Application[]> {
  const rows = await trx
    .selectFrom('applications')
    .selectAll()
    .where('account_id', '=', account_id)
    .orderBy('created_at')
    .orderBy('keystring')
    .execute();
  return rows.map((row) => toApplication(row, secrets));
}

/** A stored webhook secret stays if none is given. Call it with the account's row locked. */
export async function saveApplication(
  trx: Transaction<Tables>,
  secrets: Secrets,
  account_id: string,
  { keystring, shared_secret, webhook_secret }: Application,
  created_at: string,
): Promise<void> {
  const key = { account_id, keystring };
  const shared = { shared_secret: secrets.seal(shared_secret, toPlace(key, 'shared_secret')) };
  const webhook =
    webhook_secret === null
      ? undefined
      : { webhook_secret: secrets.seal(webhook_secret, toPlace(key, 'webhook_secret')) };
  await trx
    .insertInto('applications')
    .values({ ...key, ...shared, webhook_secret: null, ...webhook, created_at })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'keystring']).doUpdateSet({ ...shared, ...webhook }),
    )
    .execute();
}

/** Call it after deleting tokens, with the account's row locked: an application is deleted with its last shop. */
export async function forgetUnusedApplications(trx: Transaction<Tables>, account_id: string): Promise<void> {
  await trx
    .deleteFrom('applications')
    .where('account_id', '=', account_id)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('shop_tokens')
            .select('shop_tokens.shop_id')
            .where('shop_tokens.account_id', '=', account_id)
            .whereRef('shop_tokens.keystring', '=', 'applications.keystring'),
        ),
      ),
    )
    .execute();
}

function toApplication(row: ApplicationRow, secrets: Pick<Secrets, 'unseal'>): Application {
  return {
    keystring: row.keystring,
    shared_secret: secrets.unseal(row.shared_secret, toPlace(row, 'shared_secret')),
    webhook_secret: row.webhook_secret && secrets.unseal(row.webhook_secret, toPlace(row, 'webhook_secret')),
  };
}

function toPlace(
  { account_id, keystring }: Pick<ApplicationRow, 'account_id' | 'keystring'>,
  column: 'shared_secret' | 'webhook_secret',
): SecretPlace {
  return { table: 'applications', row: [account_id, keystring], column };
}
