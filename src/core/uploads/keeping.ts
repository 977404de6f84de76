import type { UploadType } from '../../../schemas/upload.js';
import { toQuotaError } from '../operations/quotas.js';
import type { Lasting, Ports, StagedFile, Upload } from '../ports/index.js';
import type { Settings } from '../settings.js';
import type { FitFile } from './fit_file.js';
import { toJpegName } from './photos.js';

export const KEPT_DAYS = 30;

/** Keeps a prepared file as an upload of the account. */
type Keeping = {
  /**
   * Throws QUOTA_EXCEEDED, a disk fault, or the error of `onKept`; then nothing is kept.
   * @param upload_id left out: a new one
   * @param onKept called when the bytes are kept
   */
  keepFit(
    account_id: string,
    type: UploadType,
    filename: string,
    file: FitFile,
    more: { upload_id?: string; onKept?: (() => Promise<void>) | undefined },
  ): Promise<Upload>;
};

export function createKeeping(
  { store, media, blobs, ids }: Pick<Ports, 'store' | 'media' | 'blobs' | 'ids'>,
  settings: Pick<Settings, 'quotas' | 'base_url'>,
): Keeping {
  return { keepFit };

  async function keepFit(
    account_id: string,
    type: UploadType,
    filename: string,
    { staged, content_type, changed }: FitFile,
    {
      upload_id = ids.build('upl_'),
      onKept,
    }: { upload_id?: string; onKept?: (() => Promise<void>) | undefined },
  ): Promise<Upload> {
    const upload = {
      account_id,
      upload_id,
      sha256: staged.sha256,
      size_bytes: staged.size_bytes,
      filename: changed === undefined ? filename : toJpegName(filename),
      content_type,
      type,
      life_ms: KEPT_DAYS * 24 * 60 * 60 * 1000,
    };
    return save(upload, staged, onKept);
  }

  /**
   * Counts the file against the quota before its bytes are kept, so that a refused file leaves none. The prepared file may
   * differ from the received file, so it is discarded here and not by the caller. After a failure the upload is gone, but
   * bytes may be left, which the sweeper removes.
   */
  async function save(
    upload: Lasting<Upload>,
    staged: StagedFile,
    onKept: (() => Promise<void>) | undefined,
  ): Promise<Upload> {
    const { account_id, upload_id } = upload;
    let saved: Upload;
    try {
      saved = await store.uploads.createUpload(upload, settings.quotas);
    } catch (cause) {
      await media.discard(staged);
      throw toQuotaError(cause, settings);
    }
    try {
      await blobs.put(staged);
      await onKept?.();
      return saved;
    } catch (cause) {
      await media.discard(staged);
      await store.uploads.deleteUnusedUpload(account_id, upload_id);
      throw cause;
    }
  }
}
