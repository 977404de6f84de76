import type { Transaction } from 'kysely';
import type { EditLicense, LicensedCall, ListingStore, RetentionStore } from '../../core/ports/index.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';

/** Rows of one INSERT, so that its parameters stay within every engine's limit. */
const BATCH = 500;

/** Licenses to overwrite manual edits that a dry run showed. */
export function createEditLicenses(
  engine: Engine<Tables>,
): Pick<ListingStore, 'saveEditLicenses'> & Pick<RetentionStore, 'sweepEditLicenses'> {
  const { write, now } = engine;
  return {
    saveEditLicenses: (account_id, { credential, digest }, licenses, life_ms) =>
      write(async (trx) => {
        const time = await now(trx);
        await trx
          .deleteFrom('edit_licenses')
          .where('account_id', '=', account_id)
          .where((old) =>
            old.or([
              old('expires_at', '<=', time),
              old.and([old('credential', '=', credential), old('body_digest', '=', digest)]),
            ]),
          )
          .execute();
        const expires_at = shiftTime(time, life_ms);
        const rows = licenses.map((license) => ({
          account_id,
          credential,
          body_digest: digest,
          ...license,
          expires_at,
        }));
        for (let start = 0; start < rows.length; start += BATCH) {
          await trx
            .insertInto('edit_licenses')
            .values(rows.slice(start, start + BATCH))
            .onConflict((conflict) =>
              conflict
                .columns(['account_id', 'credential', 'body_digest', 'shop_id', 'field'])
                .doUpdateSet(({ ref }) => ({
                  value_digest: ref('excluded.value_digest'),
                  expires_at: ref('excluded.expires_at'),
                })),
            )
            .execute();
        }
      }),
    sweepEditLicenses: (limit) =>
      write(async (trx) => {
        const time = await now(trx);
        const { numDeletedRows } = await trx
          .deleteFrom('edit_licenses')
          .where(({ eb, refTuple, selectFrom }) =>
            eb(
              refTuple('account_id', 'credential', 'body_digest', 'shop_id', 'field'),
              'in',
              selectFrom('edit_licenses')
                .select(['account_id', 'credential', 'body_digest', 'shop_id', 'field'])
                .where('expires_at', '<=', time)
                .limit(limit)
                .$asTuple('account_id', 'credential', 'body_digest', 'shop_id', 'field'),
            ),
          )
          .executeTakeFirstOrThrow();
        return Number(numDeletedRows);
      }),
  };
}

/** Uses up the licenses of a call and returns those that have not expired. Call it in the transaction that creates its job. */
export async function takeEditLicenses(
  trx: Transaction<Tables>,
  account_id: string,
  { credential, digest }: LicensedCall,
  now: string,
): Promise<EditLicense[]> {
  const taken = await trx
    .deleteFrom('edit_licenses')
    .where('account_id', '=', account_id)
    .where('credential', '=', credential)
    .where('body_digest', '=', digest)
    .returning(['shop_id', 'field', 'value_digest', 'expires_at'])
    .execute();
  return taken
    .filter(({ expires_at }) => expires_at > now)
    .map(({ shop_id, field, value_digest }) => ({ shop_id, field, value_digest }));
}
