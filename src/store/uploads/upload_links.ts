import type { UploadStore } from '../../core/ports/index.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import { hasLiveGrant, hasLiveKey } from '../identity/live_key.js';
import type { Tables } from '../schema.js';

const COLUMNS = ['account_id', 'type', 'filename', 'expires_at'] as const;

type UploadLinkRepository = Pick<
  UploadStore,
  'createUploadLink' | 'findUploadLink' | 'takeUploadLink' | 'takeDownloadLink'
>;

/**
 * The token is the credential, so no caller can name an account here. Taking deletes the row; expired ones are deleted when a
 * link is created.
 */
export function createUploadLinkRepository({ read, write, now }: Engine<Tables>): UploadLinkRepository {
  return {
    async createUploadLink(
      token_sha256,
      { life_ms, key_id = null, grant_id = null, download = null, ...link },
    ) {
      await write(async (trx) => {
        const time = await now(trx);
        await trx.deleteFrom('upload_links').where('expires_at', '<=', time).execute();
        await trx
          .insertInto('upload_links')
          .values({ token_sha256, ...link, key_id, grant_id, download, expires_at: shiftTime(time, life_ms) })
          .execute();
      });
    },
    findUploadLink: (token_sha256) =>
      read(async (trx) => {
        const time = await now(trx);
        return trx
          .selectFrom('upload_links')
          .select(COLUMNS)
          .where('token_sha256', '=', token_sha256)
          .where('download', 'is', null)
          .where('expires_at', '>', time)
          .where(hasLiveKey('upload_links', time))
          .where(hasLiveGrant('upload_links', time))
          .executeTakeFirst();
      }),
    takeUploadLink: (token_sha256) =>
      write(async (trx) => {
        const time = await now(trx);
        return trx
          .deleteFrom('upload_links')
          .where('token_sha256', '=', token_sha256)
          .where('download', 'is', null)
          .where('expires_at', '>', time)
          .where(hasLiveKey('upload_links', time))
          .where(hasLiveGrant('upload_links', time))
          .returning(COLUMNS)
          .executeTakeFirst();
      }),
    async takeDownloadLink(token_sha256) {
      // A guessed token must not occupy the writer.
      const isKnown = await read((trx) =>
        trx
          .selectFrom('upload_links')
          .select('token_sha256')
          .where('token_sha256', '=', token_sha256)
          .where('download', 'is not', null)
          .executeTakeFirst(),
      );
      if (!isKnown) return undefined;
      return write(async (trx) => {
        const time = await now(trx);
        const link = await trx
          .deleteFrom('upload_links')
          .where('token_sha256', '=', token_sha256)
          .where('download', 'is not', null)
          .where('expires_at', '>', time)
          .where(hasLiveKey('upload_links', time))
          .where(hasLiveGrant('upload_links', time))
          .returning(['account_id', 'download'])
          .executeTakeFirst();
        return link && { account_id: link.account_id, download: link.download ?? '' };
      });
    },
  };
}
