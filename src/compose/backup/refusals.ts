import { findFault } from '../../core/faults.js';
import { isSystemError, StoreError } from '../../store/index.js';

/** Describes a disk error in a folder in one sentence; returns other errors unchanged. */
export function explainDisk(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && FULL.test(code)) {
    return new StoreError(
      `The disk of ${folder} is full. Free space there, or use a folder on another disk.`,
      {
        cause: error,
      },
    );
  }
  if (isSystemError(error, 'ENOENT')) {
    return new StoreError(`${folder} cannot be created: its parent folder does not exist.`, { cause: error });
  }
  if (!findFault(error)) return error;
  return new StoreError(`${folder} cannot be written (${code}). Check the folder and its permissions.`, {
    cause: error,
  });
}

const FULL = /^(ENOSPC|EDQUOT|SQLITE_FULL)/;
