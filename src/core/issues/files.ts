import type { Path } from '../../../schemas/issue.js';
import type { FetchFailure, FileParams, UploadParams } from '../../../schemas/issues/files.js';
import { quoteForeign, quoteName } from '../text/foreign.js';
import { sayOf, type Words } from './words.js';

/** The same problem for both readers. @param fix what to do; a seller uploads files, where a program sends them */
function both<Params>(
  problem: (params: Params) => string,
  fix: { program: string; seller: string },
): Words<{ one: Params }>['one'] {
  return {
    program: (params) => `${problem(params)}; ${fix.program}`,
    seller: (params, at) => sayOfFile(at, `${problem(params)}. ${fix.seller}`),
  };
}

/** The same words for both readers, if the problem implies what to do. */
function same<Params>(words: (params: Params) => string): Words<{ one: Params }>['one'] {
  return { program: words, seller: (params, at) => sayOfFile(at, words(params)) };
}

const SAVE_AGAIN = {
  program: 'save it again, then send the new file',
  seller: 'Save it again, then upload the new file',
};

/** Only programs use paths: no page has one. */
function ofPath<Params>(program: (params: Params) => string): Words<{ one: Params }>['one'] {
  return { program, seller: () => 'This file could not be read. Upload it on the Uploads page' };
}

/** An upload is a single file, which its page names. */
function sayOfFile(at: Path, text: string): string {
  return at === 'file' ? `This file ${text}` : sayOf(at, `the file ${text}`);
}

export const FILE_WORDS: Words<FileParams> = {
  upload_gone: {
    program: () => 'refers to an upload that no longer exists; upload the file again and use the new url',
    seller: (_, at) => sayOf(at, 'this upload no longer exists. Upload the file again'),
  },
  file_fetch_failed: {
    program: ({ failure }) => `could not be fetched: ${describeFetch(failure)}; ${describeFetchFix(failure)}`,
    seller: ({ failure }, at) =>
      sayOf(
        at,
        `this could not be downloaded: ${typeof failure === 'string' ? WHY_FOR_SELLERS[failure] : 'its website refused the download'}. Upload the file instead`,
      ),
  },
  file_busy: {
    program: () =>
      'could not be processed yet: the service is already processing as many files as it can; try again in a moment',
    seller: (_, at) => sayOfFile(at, 'could not be processed yet. Try again in a moment'),
  },
  file_is_web_page: {
    program: () =>
      "is a web page, not the file itself; use the file's own link (Google Drive: https://drive.google.com/uc?export=download&id=FILE_ID, shared with anyone who has the link; Dropbox: end the link with dl=1), or upload the file",
    seller: (_, at) =>
      at === 'file'
        ? 'This file is a web page. Choose the file itself'
        : sayOf(at, 'this is a web page, not the file itself. Upload the file'),
  },
  file_type_wrong: {
    program: ({ slot, content_type }) => `is ${content_type ?? 'of an unknown type'}; ${SEND[slot]}`,
    seller: ({ slot, content_type }, at) =>
      sayOfFile(
        at,
        `is ${content_type === null ? 'of an unknown type' : findKind(content_type)}. ${USE[slot]}`,
      ),
  },
  file_not_sheet: both(() => 'is neither an XLSX workbook nor a CSV file', {
    program: 'save the sheet as XLSX',
    seller: 'Save the sheet as XLSX',
  }),
  file_not_utf8: both(() => 'is not UTF-8', {
    program: 'save it as "CSV UTF-8" or as XLSX',
    seller: 'Save it as “CSV UTF-8” or as XLSX',
  }),
  file_empty: both(() => 'is empty', { program: 'send a file with content', seller: 'Choose another file' }),
  file_is_program: {
    program: () => 'is a program, which the marketplace does not accept',
    seller: (_, at) => sayOfFile(at, 'is a program, which Etsy does not accept'),
  },
  file_truncated: both(() => 'is incomplete: the transfer was interrupted', {
    program: 'send it again',
    seller: 'Upload it again',
  }),
  file_unreadable: both(() => 'could not be read', {
    program: 'the service needs permission to open it',
    seller: 'The service needs permission to open it',
  }),
  file_damaged: both(() => 'is damaged or incomplete', SAVE_AGAIN),
  file_extension_wrong: same(
    ({ extensions }) => `must have one of these extensions: ${extensions.replaceAll(' ', ', ')}`,
  ),
  file_content_wrong: same(
    ({ extension, expected }) => `has the extension .${extension}, but its content is not ${expected}`,
  ),
  file_ending_wrong: {
    program: ({ ending, own }) => describeEnding(ending, own),
    seller: ({ ending, own }, at) => sayOf(at, `the name ${describeEndingToSeller(ending, own)}`),
  },
  photo_size_unknown: both(() => 'is damaged: its dimensions cannot be read', SAVE_AGAIN),
  photo_damaged: both(() => 'is damaged, or takes too long to read', SAVE_AGAIN),
  photo_too_large: {
    program: ({ width, height, needs_library }) =>
      `is ${width} × ${height} pixels; at most 20,000 pixels per side and 100 megapixels are allowed${needs_library ? '; larger photos are scaled down only if the optional package sharp is installed' : ''}`,
    seller: ({ width, height }, at) =>
      sayOfFile(
        at,
        `is ${width} × ${height} pixels. At most 20,000 pixels per side and 100 megapixels are allowed`,
      ),
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
      sayOf(at, `this ${format} photo cannot be converted to JPEG here. ${USE_INSTEAD[format] ?? USE.image}`),
  },
  video_length_unknown: both(() => 'is damaged: its length cannot be read', SAVE_AGAIN),
  video_too_long: {
    program: ({ seconds, most }) => `is ${seconds} seconds long; at most ${most} seconds are allowed`,
    seller: ({ seconds, most }, at) =>
      sayOfFile(at, `is ${seconds} seconds long. At most ${most} seconds are allowed`),
  },
  video_too_short: {
    program: ({ seconds, least }) => `is ${seconds} seconds long; at least ${least} seconds are required`,
    seller: ({ seconds, least }, at) =>
      sayOfFile(at, `is ${seconds} seconds long. At least ${least} seconds are required`),
  },
  video_too_small: {
    program: ({ width, height, least }) =>
      `is ${width} × ${height} pixels; the longer side must be at least ${least} pixels`,
    seller: ({ width, height, least }, at) =>
      sayOfFile(at, `is ${width} × ${height} pixels. The longer side must be at least ${least} pixels`),
  },
  video_has_sound: both(() => 'has an audio track', {
    program: 'remove it',
    seller: 'Remove the audio track',
  }),
};

function describeEnding(ending: string | undefined, own: string): string {
  return ending === undefined
    ? `has no extension; add .${own}`
    : `has the extension .${ending}, but the file is a .${own} file; change the extension to .${own}`;
}

function describeEndingToSeller(ending: string | undefined, own: string): string {
  return ending === undefined
    ? `has no extension. Add .${own}`
    : `has the extension .${ending}, but the file is a .${own} file. Change the extension to .${own}`;
}

const SEND_PHOTO = 'send a JPG, PNG, or GIF';
const SEND = { image: SEND_PHOTO, video: 'send an MP4 or MOV' };
const USE = { image: 'Use a JPG, PNG, or GIF', video: 'Use an MP4 or MOV' };

/** Kinds of files in plain words. The first match counts. */
const KINDS: readonly [RegExp, string][] = [
  [/^video\//, 'a video'],
  [/^image\/(?:jpeg|png|gif)$/, 'a photo'],
  [/^image\/tiff$/, 'a TIFF image'],
  [/^image\/bmp$/, 'a BMP image'],
  [/^image\/svg/, 'an SVG image'],
  [/^image\//, 'an image of another type'],
  [/^audio\//, 'a sound file'],
  [/^application\/pdf$/, 'a PDF'],
  [/^application\/zip$/, 'a ZIP archive'],
];

function findKind(content_type: string): string {
  return KINDS.find(([pattern]) => pattern.test(content_type))?.[1] ?? 'a file of another type';
}

const IPHONE = '(an iPhone takes JPEG photos with Settings → Camera → Formats → Most Compatible)';
const INSTEAD: Readonly<Record<string, string>> = { HEIC: `send it as JPEG ${IPHONE}` };
const USE_INSTEAD: Readonly<Record<string, string>> = { HEIC: `Use a JPEG ${IPHONE}` };
const PACKAGES: Readonly<Record<string, string>> = { HEIC: 'packages sharp and libheif-js are' };

function describeFetch(failure: FetchFailure): string {
  return typeof failure === 'string' ? WHY[failure] : `its server answered ${failure.status}`;
}

function describeFetchFix(failure: FetchFailure): string {
  return (typeof failure === 'string' ? FIXES[failure] : undefined) ?? OPEN_FIX;
}

const WHY: Record<Extract<FetchFailure, string>, string> = {
  invalid_url: 'the address is not a complete http or https address, or contains a user name and password',
  space_in_url: 'the address contains a space',
  blocked_address: 'the address points to a private network or to a port that is not allowed',
  dns: "its server's name could not be resolved",
  connect: 'its server could not be reached or returned no usable response',
  timeout: 'it did not arrive in time',
  too_slow: 'its server sends it too slowly',
  too_large: 'it is too large',
  too_many_redirects: 'its server redirects too many times',
  unsupported_encoding: 'its server sends it compressed',
  empty: 'it is empty',
  truncated: 'the download was cut off',
  unreadable: 'it cannot be read',
  busy: 'the service is already downloading as many files as it can',
};

const WHY_FOR_SELLERS: Record<Extract<FetchFailure, string>, string> = {
  invalid_url: 'the web address is incomplete, or contains a user name and password',
  space_in_url: 'the web address contains a space',
  blocked_address: 'the web address is not public',
  dns: 'its website could not be found',
  connect: 'its website could not be reached',
  timeout: 'it did not arrive in time',
  too_slow: 'its website sends it too slowly',
  too_large: 'it is too large',
  too_many_redirects: 'its website redirects too many times',
  unsupported_encoding: 'its website sends it in a form that this service cannot read',
  empty: 'it is empty',
  truncated: 'the download was cut off',
  unreadable: 'it cannot be read',
  busy: 'this service is already downloading as many files as it can',
};

const PUBLIC_FIX = 'use a public http or https address, or upload the file and use its service-upload:// url';
const OPEN_FIX = 'check that the address opens in a browser without signing in, or upload the file';
const FIXES: Partial<Record<Extract<FetchFailure, string>, string>> = {
  blocked_address: PUBLIC_FIX,
  invalid_url: PUBLIC_FIX,
  space_in_url: 'write the space as %20',
  too_large: 'at most 100 MB are allowed',
};

export const UPLOAD_WORDS: Words<UploadParams> = {
  file_choice_required: { program: () => 'is required; choose a file', seller: () => 'Choose a file' },
  file_part_required: {
    program: () => 'is required; send multipart/form-data with the file in a part named file',
    seller: (_, at) => sayOf(at, 'choose a file'),
  },
  file_or_path_required: {
    program: () =>
      "is required unless path is sent; send path for a file on this computer, or file with the file's content in base64",
    seller: (_, at) => sayOf(at, 'choose a file'),
  },
  file_and_path: {
    program: () => 'cannot be sent together with path; send only one of them',
    seller: () => 'Choose one file',
  },
  file_not_base64: {
    program: () => 'must be base64, without a data: prefix',
    seller: () => 'This file could not be read. Choose it again',
  },
  filename_required: {
    program: () => 'is required when file is sent, for example mug.jpg',
    seller: () => 'The file has no name. Give it one',
  },
  path_not_local: {
    program: () => 'works only over stdio, where the server runs on your computer; send the content in file',
    seller: () => 'Files on your computer must be uploaded. Use the Uploads page',
  },
  path_outside: ofPath(
    ({ folders }) =>
      `is outside the folders that the service can read (${folders}); move the file there, or send its content in file`,
  ),
  path_unknown: ofPath(
    ({ folders, nearest }) =>
      `was not found in the folders that the service can read (${folders})${nearest === undefined ? '' : `; did you mean ${quoteForeign(nearest, MAX_PATH_CHARS)}?`}`,
  ),
  path_ambiguous: ofPath(
    ({ paths }) =>
      `matches several files that differ only in spaces or accents: ${paths.join(', ')}; rename one of them`,
  ),
  path_forbidden: ofPath(
    () =>
      'could not be read: permission denied; give the service permission to read it, or send its content in file',
  ),
  path_is_folder: ofPath(({ names, more }) => {
    const rest = more > 0 ? `, and ${more} more` : '';
    return names.length > 0
      ? `is a folder that contains ${names.map((name) => quoteName(name)).join(', ')}${rest}; upload each file by its own path`
      : 'is an empty folder';
  }),
};

const MAX_PATH_CHARS = 300;
