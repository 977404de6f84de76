import type { UploadType } from '../../../../../../schemas/upload.js';

export const MOST_PHOTOS = 10;
export const MOST_FILES = 5;
export const MOST_VIDEOS = 1;

type Kept = {
  type: UploadType;
  /** The field with the addresses of the files that were kept. */
  name: string;
  /** The part of the form that shows them. */
  part: string;
  most: number;
};

/** The form's files, by their field. A video replaces the earlier one. */
export const KEPT_FILES = {
  file: { type: 'image', name: 'photo', part: 'photos-part', most: MOST_PHOTOS },
  digital_file: { type: 'digital', name: 'digital', part: 'files-part', most: MOST_FILES },
  video_file: { type: 'video', name: 'video', part: 'video-part', most: MOST_VIDEOS },
} as const satisfies Record<string, Kept>;

export function getKept(field: string): Kept {
  return (KEPT_FILES as Record<string, Kept>)[field] ?? KEPT_FILES.file;
}
