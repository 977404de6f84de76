import type { UploadStore } from '../core/ports/index.js';
import type { Database } from './database.js';

type UploadTable = Pick<UploadStore, 'createUpload' | 'findUpload'>;

/** `findUpload` answers expired ones too: a listing may still use the file. */
export function createUploadTable(database: Database): UploadTable {
  return {
    async createUpload(upload) {
      await database.write((trx) => trx.insertInto('uploads').values(upload).execute());
    },
    findUpload: (account_id, upload_id) =>
      database.db
        .selectFrom('uploads')
        .selectAll()
        .where('account_id', '=', account_id)
        .where('upload_id', '=', upload_id)
        .executeTakeFirst(),
  };
}
