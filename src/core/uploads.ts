import type { Readable } from 'node:stream';
import type { z } from 'zod/v3';
import type { uploadRequest, UploadResult } from '../../schemas/upload.js';
import type { Call, ReceivedFile } from './operation.js';
import type { Ports } from './core.js';
import type { Upload, UploadLink } from './ports/index.js';
import type { Settings } from './settings.js';

export type Uploads = {
  /** Streams a file that arrives over HTTP to disk. Throws FILE_TOO_LARGE, or VALIDATION_FAILED when it is empty. */
  receive(stream: Readable, filename: string): Promise<ReceivedFile>;
  /** Removes what was received, if it was not kept. Safe to call in any case. */
  discard(file: ReceivedFile): Promise<void>;
  /** The operation file_upload. */
  create(input: z.output<typeof uploadRequest>, call: Call): Promise<UploadResult>;
  /** A one-time upload address that is still open. */
  findLink(token: string): Promise<UploadLink | undefined>;
  /** Uses a one-time address up. Throws NOT_FOUND when it is unknown, expired or used. */
  createByLink(token: string, file: ReceivedFile): Promise<UploadResult>;
  /** The upload behind a service-upload:// URL of this account whose bytes are still here. */
  findByUrl(account_id: string, url: string): Promise<Upload | undefined>;
};

export function createUploads(_ports: Ports, _settings: Settings): Uploads {
  throw new Error('being written');
}
