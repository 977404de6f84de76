import type { Nothing } from './facts.js';

/** Reasons why a file could not be fetched; `status`: of its server's answer. */
export type FetchFailure =
  | 'invalid_url'
  | 'space_in_url'
  | 'blocked_address'
  | 'dns'
  | 'connect'
  | 'timeout'
  | 'too_slow'
  | 'too_large'
  | 'too_many_redirects'
  | 'unsupported_encoding'
  | 'empty'
  | 'truncated'
  /** An image or video whose structure cannot be parsed. */
  | 'unreadable'
  /** Too many files were being fetched or photos converted, and no slot became free in time. */
  | 'busy'
  | { status: number };

/** Problems of a file. */
export type FileParams = {
  upload_gone: Nothing;
  file_fetch_failed: { failure: FetchFailure };
  /** No slot became free in time. */
  file_busy: Nothing;
  file_is_web_page: Nothing;
  file_not_sheet: Nothing;
  file_not_utf8: Nothing;
  file_type_wrong: { slot: 'image' | 'video'; content_type: string | null };
  file_empty: Nothing;
  file_is_program: Nothing;
  file_truncated: Nothing;
  file_unreadable: Nothing;
  file_damaged: Nothing;
  file_extension_wrong: { extensions: string };
  file_content_wrong: { extension: string; expected: string };
  file_ending_wrong: { ending?: string | undefined; own: string };
  photo_size_unknown: Nothing;
  photo_damaged: Nothing;
  photo_too_large: { width: number; height: number; needs_library: boolean };
  photo_not_convertible: { format: string; because: 'too_large' | 'no_library' };
  video_length_unknown: Nothing;
  video_too_long: { seconds: number; most: number };
  video_too_short: { seconds: number; least: number };
  video_too_small: { width: number; height: number; least: number };
  video_has_sound: Nothing;
};

/** Problems of an upload call. */
export type UploadParams = {
  file_choice_required: Nothing;
  file_part_required: Nothing;
  file_or_path_required: Nothing;
  file_and_path: Nothing;
  file_not_base64: Nothing;
  filename_required: Nothing;
  path_not_local: Nothing;
  path_outside: { folders: string };
  path_unknown: { folders: string; nearest?: string | undefined };
  path_ambiguous: { paths: readonly string[] };
  path_forbidden: Nothing;
  path_is_folder: { names: readonly string[]; more: number };
};
