import type { Clock, UploadStore } from '../core/ports/index.js';
import type { Database } from './database.js';

const COLUMNS = ['account_id', 'type', 'filename', 'expires_at'] as const;

type UploadLinkTable = Pick<UploadStore, 'createUploadLink' | 'findUploadLink' | 'takeUploadLink'>;

/** The token is the credential, so nobody can name an account here. Taking deletes the row; expired ones go when a link is made. */
export function createUploadLinkTable(database: Database, clock: Clock): UploadLinkTable {
  return {
    async createUploadLink(token_sha256, link) {
      await database.write(async (trx) => {
        await trx.deleteFrom('upload_links').where('expires_at', '<=', clock.now().toISOString()).execute();
        await trx
          .insertInto('upload_links')
          .values({ token_sha256, ...link })
          .execute();
      });
    },
    findUploadLink: (token_sha256) =>
      database.db
        .selectFrom('upload_links')
        .select(COLUMNS)
        .where('token_sha256', '=', token_sha256)
        .executeTakeFirst(),
    takeUploadLink: (token_sha256, now) =>
      database.write((trx) =>
        trx
          .deleteFrom('upload_links')
          .where('token_sha256', '=', token_sha256)
          .where('expires_at', '>', now)
          .returning(COLUMNS)
          .executeTakeFirst(),
      ),
  };
}
