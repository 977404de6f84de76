import type { Path } from '../../../schemas/issue.js';
import type { FetchFailure, FileParams, UploadParams } from '../../../schemas/issues/files.js';
import { quoteForeign, quoteName } from '../errors.js';
import { sayOf, type Words } from './words.js';

/** The same words for everybody. */
function same<Params>(words: (params: Params) => string): Words<{ one: Params }>['one'] {
  return { program: words, seller: (params, at) => sayOfFile(at, words(params)) };
}

/** An upload is of one file, which its page names. */
function sayOfFile(at: Path, text: string): string {
  return at === 'file' ? `This file ${text}` : sayOf(at, text);
}

export const FILE_WORDS: Words<FileParams> = {
  upload_gone: {
    program: () => 'this upload is no longer here; upload the file again and use the new url',
    seller: (_, at) => sayOf(at, 'this upload is no longer here. Upload the file again'),
  },
  file_fetch_failed: {
    program: ({ failure }) => `could not be fetched: ${describeFetch(failure)}; ${describeFetchFix(failure)}`,
    seller: ({ failure }, at) =>
      sayOf(at, `this could not be downloaded: ${describeFetch(failure)}. Upload the file instead`),
  },
  file_is_web_page: {
    program: () =>
      "is a web page, not the file itself; use the file's own link (Google Drive: https://drive.google.com/uc?export=download&id=FILE_ID, shared with anyone who has the link; Dropbox: end the link in dl=1), or upload the file",
    seller: (_, at) => sayOfFile(at, 'is a web page, not the file itself. Upload the file'),
  },
  file_type_wrong: {
    program: ({ slot, content_type }) => `is ${content_type ?? 'of an unknown type'}; ${SEND[slot]}`,
    seller: ({ slot, content_type }, at) =>
      sayOfFile(
        at,
        `is ${content_type === null ? 'of an unknown type' : findKind(content_type)}; ${SEND[slot]}`,
      ),
  },
  file_empty: same(() => 'is empty'),
  file_is_program: same(() => 'is a program, which the marketplace does not take'),
  file_truncated: same(() => 'broke off before its end; send it again'),
  file_unreadable: same(() => 'could not be read: it must be a file that this service may open'),
  file_damaged: same(() => 'is damaged or incomplete; save it again and send it again'),
  file_extension_wrong: same(({ extensions }) => `has a name that must end in one of ${extensions}`),
  file_content_wrong: same(
    ({ extension, expected }) => `has a name that ends in .${extension}, but its content is not ${expected}`,
  ),
  file_ending_wrong: same(({ ending, own }) =>
    ending === undefined
      ? `has no ending; end it in .${own}, as the file does`
      : `ends in .${ending}, but the file is .${own}; end it in .${own}`,
  ),
  photo_size_unknown: same(() => 'is damaged: its size cannot be read'),
  photo_damaged: same(() => 'is damaged, or takes too long to read; save it again and send it again'),
  photo_too_large: {
    program: ({ width, height, needs_library }) =>
      `is ${width} × ${height} pixels; at most 20,000 a side and 100 megapixels${needs_library ? '; a larger one is scaled only if sharp is installed' : ''}`,
    seller: ({ width, height }, at) =>
      sayOf(at, `${width} × ${height} pixels; at most 20,000 a side and 100 megapixels`),
  },
  photo_not_convertible: {
    program: ({ format, because }) => {
      const problem =
        because === 'too_large'
          ? ' with too many pixels to be converted to JPEG here'
          : `, which is converted to JPEG only if the optional ${PACKAGES[format] ?? 'package sharp is'} installed`;
      return `is a ${format} photo${problem}; ${INSTEAD[format] ?? SEND_PHOTO}`;
    },
    seller: ({ format }, at) =>
      sayOf(at, `this ${format} photo cannot be converted to JPEG here; ${INSTEAD[format] ?? SEND_PHOTO}`),
  },
  video_length_unknown: same(() => 'is damaged: its length cannot be read'),
  video_too_long: same(({ seconds, most }) => `lasts ${seconds} seconds; at most ${most}`),
  video_too_short: same(({ seconds, least }) => `lasts ${seconds} seconds; at least ${least}`),
  video_too_small: same(
    ({ width, height, least }) => `is ${width} x ${height} pixels; at least ${least} on the longer side`,
  ),
  video_has_sound: same(() => 'has a sound track; remove it'),
};

const SEND_PHOTO = 'send a JPG, PNG or GIF';
const SEND = { image: SEND_PHOTO, video: 'send an MP4 or MOV' };

/** Kinds of files in the words of a person. The first that fits counts. */
const KINDS: readonly [RegExp, string][] = [
  [/^video\//, 'a video'],
  [/^image\/(?:jpeg|png|gif)$/, 'a photo'],
  [/^image\/tiff$/, 'a TIFF picture'],
  [/^image\/bmp$/, 'a BMP picture'],
  [/^image\/svg/, 'an SVG drawing'],
  [/^image\//, 'a picture of another kind'],
  [/^audio\//, 'a sound file'],
  [/^application\/pdf$/, 'a PDF'],
  [/^application\/zip$/, 'a ZIP archive'],
];

function findKind(content_type: string): string {
  return KINDS.find(([pattern]) => pattern.test(content_type))?.[1] ?? 'a file of another kind';
}

const INSTEAD: Readonly<Record<string, string>> = {
  HEIC: 'send it as JPEG (an iPhone takes JPEG photos with Settings → Camera → Formats → Most Compatible)',
};
const PACKAGES: Readonly<Record<string, string>> = { HEIC: 'packages sharp and libheif-js are' };

function describeFetch(failure: FetchFailure): string {
  return typeof failure === 'string' ? WHY[failure] : `its server answered ${failure.status}`;
}

function describeFetchFix(failure: FetchFailure): string {
  return (typeof failure === 'string' ? FIXES[failure] : undefined) ?? OPEN_FIX;
}

const WHY: Record<Extract<FetchFailure, string>, string> = {
  invalid_url: 'the address is not a complete http or https address, or names a user and password',
  space_in_url: 'the address contains a space',
  blocked_address: 'the address leads into a private network or to a port that is not allowed',
  dns: 'the name of its server cannot be found',
  connect: 'no connection to its server could be made, or it gave no usable answer',
  timeout: 'it did not arrive in time',
  too_slow: 'its server sends it too slowly',
  too_large: 'it is too large',
  too_many_redirects: 'its server redirects too many times',
  unsupported_encoding: 'its server sends it compressed',
  empty: 'it is empty',
  truncated: 'it broke off',
  unreadable: 'it cannot be read',
  busy: 'the service is already fetching as many files as it can at a time',
};

const PUBLIC_FIX = 'use a public http or https address, or upload the file and use its service-upload:// url';
const OPEN_FIX = 'check that the address opens in a browser without signing in, or upload the file';
const FIXES: Partial<Record<Extract<FetchFailure, string>, string>> = {
  blocked_address: PUBLIC_FIX,
  invalid_url: PUBLIC_FIX,
  space_in_url: 'write %20 in its place',
  too_large: 'at most 100 MB are taken',
};

export const UPLOAD_WORDS: Words<UploadParams> = {
  file_choice_required: { program: () => 'is required: choose one', seller: () => 'Choose a file' },
  file_part_required: {
    program: () => 'is required: send multipart/form-data with the file in a part named file',
    seller: (_, at) => sayOf(at, 'choose a file'),
  },
  file_or_path_required: {
    program: () =>
      'is required, or path instead of it: path names a file on this computer, file holds its bytes in base64',
    seller: (_, at) => sayOf(at, 'choose a file'),
  },
  file_and_path: same(() => 'was given together with path; give exactly one of the two'),
  file_not_base64: same(() => 'must be base64, without a data: prefix'),
  filename_required: same(() => 'is required with file, for example mug.jpg'),
  path_not_local: {
    program: () => 'works only over stdio, where the server runs on your computer; send the bytes in file',
    seller: (_, at) => sayOf(at, 'files of your computer have to be uploaded'),
  },
  path_outside: same(({ folders }) => `is not a file inside the folders that may be read: ${folders}`),
  path_unknown: same(
    ({ folders, nearest }) =>
      `names no file in the folders that may be read: ${folders}${nearest === undefined ? '' : `; the nearest is ${quoteForeign(nearest, MAX_PATH_CHARS)}`}`,
  ),
  path_ambiguous: same(
    ({ paths }) => `fits several files that differ only in spaces or accents: ${paths.join(', ')}`,
  ),
  path_forbidden: same(() => 'could not be read: the system does not allow it'),
  path_is_folder: same(({ names, more }) => {
    const rest = more > 0 ? `, and ${more} more` : '';
    return names.length > 0
      ? `is a folder; it holds ${names.map((name) => quoteName(name)).join(', ')}${rest}; upload each by its own path`
      : 'is a folder; it is empty';
  }),
};

const MAX_PATH_CHARS = 300;
