import { Readable } from 'node:stream';
import { ServiceError } from '../errors.js';
import { replaceInvisible } from '../text/foreign.js';
import { buildValidationError } from '../issues/issues.js';
import type { Call, ReceivedFile } from '../operations/call.js';
import { MAX_FILE_BYTES, MediaError, type Ports, type StagedFile } from '../ports/index.js';
import type { Settings } from '../settings.js';
import { toFileFault } from './files.js';
import { openLocalFile } from './local_files.js';

const MAX_INLINE_BYTES = 5 * 1024 * 1024;

/** The ways in which a file reaches this service. Each stages it on disk; its caller keeps or discards it. */
type Receiving = {
  /**
   * Throws FILE_TOO_LARGE, VALIDATION_FAILED if it is empty, or INTERNAL if the disk has no room for it.
   * @param expected_bytes the most that will come
   */
  stage(stream: Readable, filename: string, expected_bytes?: number): Promise<ReceivedFile>;
  /** Stages a file from the text of a call. Throws FILE_TOO_LARGE, VALIDATION_FAILED. */
  stageInline(base64: string, filename: string | undefined): Promise<ReceivedFile>;
  /** Stages a file of this computer, for a caller on the same computer. Throws FILE_TOO_LARGE, VALIDATION_FAILED. */
  stageLocal(path: string, filename: string | undefined, call: Call): Promise<ReceivedFile>;
};

export function createReceiving(
  { media }: Pick<Ports, 'media'>,
  settings: Pick<Settings, 'upload_roots'>,
): Receiving {
  return { stage, stageInline, stageLocal };

  async function stage(stream: Readable, filename: string, expected_bytes = 0): Promise<ReceivedFile> {
    const limits = { limit_bytes: MAX_FILE_BYTES, expected_bytes: Math.min(expected_bytes, MAX_FILE_BYTES) };
    return {
      ...(await refuseAsField(() => media.stage(stream, limits))),
      filename: toFilename(filename),
    };
  }

  async function stageInline(base64: string, filename: string | undefined): Promise<ReceivedFile> {
    if (filename === undefined) {
      throw buildValidationError([{ code: 'filename_required', at: 'filename', params: {} }]);
    }
    const compact = base64.replace(/\s+/g, '');
    // A pattern that backtracks letter by letter would run out of stack on a few megabytes.
    if (compact === '' || /[^A-Za-z0-9+/_-]/.test(compact.replace(/={1,2}$/, ''))) {
      throw buildValidationError([{ code: 'file_not_base64', at: 'file', params: {} }]);
    }
    if ((compact.length * 3) / 4 > MAX_INLINE_BYTES + 2) {
      throw new ServiceError(
        'FILE_TOO_LARGE',
        [{ code: 'file_too_large', at: 'file', params: { megabytes: 5 } }],
        {
          hint: 'Give a path (over stdio), or call file_upload without path and file to get an address to upload to.',
        },
      );
    }
    return stage(Readable.from([Buffer.from(compact, 'base64')]), filename);
  }

  async function stageLocal(path: string, filename: string | undefined, call: Call): Promise<ReceivedFile> {
    if (call.caller.credential !== 'local') {
      throw buildValidationError([{ code: 'path_not_local', at: 'path', params: {} }]);
    }
    const { file, name } = await openLocalFile(path, settings.upload_roots);
    try {
      const staged = await refuseAsField(async () => {
        const { size } = await file.stat();
        if (size > MAX_FILE_BYTES) throw new MediaError('too_large', 'The file is too large.');
        const stream = file.createReadStream({ autoClose: false });
        return await media.stage(stream, { limit_bytes: MAX_FILE_BYTES, expected_bytes: size });
      }, 'path');
      return { ...staged, filename: toFilename(filename ?? name) };
    } finally {
      await file.close();
    }
  }
}

async function refuseAsField(stage: () => Promise<StagedFile>, path = 'file'): Promise<StagedFile> {
  try {
    return await stage();
  } catch (cause) {
    if (!(cause instanceof MediaError)) throw toFileFault(cause, [path]);
    if (cause.failure === 'too_large')
      throw new ServiceError('FILE_TOO_LARGE', [
        { code: 'file_too_large', at: path, params: { megabytes: 100 } },
      ]);
    const code =
      cause.failure === 'empty'
        ? 'file_empty'
        : cause.failure === 'truncated'
          ? 'file_truncated'
          : 'file_unreadable';
    throw buildValidationError([{ code, at: path, params: {} }]);
  }
}

/** A file's name for display: the last part of a path, without control characters and lone surrogates, never empty. */
export function toFilename(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? '';
  const clean = [...replaceInvisible(last, '').trim()];
  return clean.slice(0, 200).join('') || 'file';
}
