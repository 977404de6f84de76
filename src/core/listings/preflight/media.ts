import pLimit from 'p-limit';
import type { Warning } from '../../../../schemas/job.js';
import type { UploadType } from '../../../../schemas/upload.js';
import type { FileProblem, Issue } from '../../../../schemas/issue.js';
import { placeProblems } from '../../issues/issues.js';
import type { PlannedFile } from '../../ports/listing/target.js';
import {
  buildBusyError,
  toFetchProblem,
  findTypeProblem,
  prepareFile,
  toFileFault,
} from '../../uploads/files.js';
import type { FitFile } from '../../uploads/fit_file.js';
import { toJpegName, toPhotoChanged } from '../../uploads/photos.js';
import {
  MAX_FILE_BYTES,
  MediaError,
  type Blobs,
  type Media,
  type StagedFile,
  type Upload,
} from '../../ports/index.js';
import { isUploadUrl, type Uploads } from '../../uploads/uploads.js';
import type { PartialRequest } from '../rules/index.js';
import type { SizedFile } from './marketplace_limits.js';

/** At most this many files are fetched at a time for one request. */
const PARALLEL = 4;
const IMAGE_DEADLINE_MS = 30_000;
const FILE_DEADLINE_MS = 120_000;

/** One distinct file of a request: a URL in a slot, and all paths at which it is named. */
type Source = { slot: UploadType; url: string; paths: string[] };

/** The problems of a draft's files found without fetching any. */
export type CheckedReferences = {
  issues: Issue[];
  /** Paths of files that only publishing checks. */
  not_checked: string[];
  digital_files: SizedFile[];
};

/** Files on disk that are fit, but not stored yet. `keep` stores them for the plan; `discard` deletes them. */
export type CheckedMedia = {
  issues: Issue[];
  /** Warnings about photos converted because the marketplace does not accept their format. */
  warnings: Warning[];
  digital_files: SizedFile[];
  keep(): Promise<Map<string, PlannedFile>>;
  discard(): Promise<void>;
};

type Checked = {
  source: Source;
  fit?: FitFile;
  kept?: PlannedFile;
  filename: string;
  problems?: readonly FileProblem[];
  /** The file is not the cause, but the disk or a bug of the service. */
  failure?: { cause: unknown };
};

type MediaChecker = {
  /** For a draft: checks only whether uploads still exist and have the right type. */
  checkReferences(request: PartialRequest, account_id: string): Promise<CheckedReferences>;
  /**
   * Fetches and checks every file, each distinct URL once for all shops.
   * @param known files of an earlier job of this listing, reused instead of fetched if their bytes are stored
   */
  check(request: PartialRequest, account_id: string, known: readonly PlannedFile[]): Promise<CheckedMedia>;
};

/** Key of a planned file: two slots may use the same URL. */
export function toMediaKey(slot: UploadType, url: string): string {
  return `${slot} ${url}`;
}

export function createMediaChecker(media: Media, blobs: Blobs, uploads: Uploads): MediaChecker {
  async function checkOne(
    source: Source,
    account_id: string,
    known: readonly PlannedFile[],
    records: ReadonlyMap<string, Upload>,
  ): Promise<Checked> {
    const before = known.find((file) => file.url === source.url && fitsSlot(file, source.slot));
    if (before && (await blobs.open(before.sha256)))
      return { source, kept: before, filename: before.filename };
    return isUploadUrl(source.url)
      ? checkUpload(source, records.get(source.url), account_id)
      : checkRemote(source, account_id);
  }

  async function checkUpload(
    source: Source,
    upload: Upload | undefined,
    account_id: string,
  ): Promise<Checked> {
    const blob = upload && (await blobs.open(upload.sha256));
    if (!blob) return { source, filename: upload?.filename ?? '', problems: [GONE] };
    const { sha256, size_bytes, filename, content_type } = upload;
    // It was checked when it was uploaded, and its bytes are addressed by their hash.
    if (upload.type === source.slot) {
      return { source, filename, kept: { url: source.url, sha256, size_bytes, filename, content_type } };
    }
    // As another type, it was not checked: a photo uploaded as a digital file still contains its location.
    const staged = await media.stage(blob.stream, { limit_bytes: size_bytes });
    return prepare(source, staged, { filename, account_id });
  }

  async function checkRemote(source: Source, account_id: string): Promise<Checked> {
    const filename = toFilename(source.url);
    let staged: StagedFile;
    try {
      staged = await media.fetchFile(source.url, {
        named_by: 'caller',
        owner: account_id,
        limit_bytes: MAX_FILE_BYTES,
        deadline_ms: source.slot === 'image' ? IMAGE_DEADLINE_MS : FILE_DEADLINE_MS,
      });
    } catch (cause) {
      if (!(cause instanceof MediaError)) throw cause;
      if (cause.failure === 'busy') throw buildBusyError(cause, source.paths);
      return { source, filename, problems: [toFetchProblem(cause, source.url)] };
    }
    return prepare(source, staged, { filename, account_id });
  }

  async function prepare(
    source: Source,
    staged: StagedFile,
    { filename, account_id }: { filename: string; account_id: string },
  ): Promise<Checked> {
    try {
      const prepared = await prepareFile(media, staged, { slot: source.slot, filename, owner: account_id });
      if (prepared.ok) return { source, filename, fit: prepared.file };
      await media.discard(staged);
      return { source, filename, problems: prepared.problems };
    } catch (cause) {
      await media.discard(staged);
      if (cause instanceof MediaError && cause.failure === 'busy') throw buildBusyError(cause, source.paths);
      throw cause;
    }
  }

  async function discard(checked: readonly Checked[]): Promise<void> {
    await Promise.all(checked.flatMap(({ fit }) => (fit ? [media.discard(fit.staged)] : [])));
  }

  return {
    async checkReferences(request, account_id) {
      const all = listSources(request);
      const sources = all.filter(({ url }) => isUploadUrl(url));
      const kept = await uploads.findKept(
        account_id,
        sources.map(({ url }) => url),
      );
      const found = sources.map((source) => ({ source, upload: kept.get(source.url) }));
      return {
        issues: found.flatMap(({ source: { slot, paths }, upload }) => {
          const problem = upload ? findTypeProblem(slot, upload.content_type) : GONE;
          if (problem) return paths.flatMap((path) => placeProblems([problem], path));
          return upload?.type === slot ? listWrongEndings(request, paths, upload.filename) : [];
        }),
        // An upload was checked only for the type it was uploaded as.
        not_checked: [
          ...all.filter(({ url }) => !isUploadUrl(url)),
          ...found.flatMap(({ source, upload }) => (upload && upload.type !== source.slot ? [source] : [])),
        ].flatMap(({ paths }) => paths),
        digital_files: found.flatMap(({ source, upload }) => (upload ? toSized(source, upload) : [])),
      };
    },

    async check(request, account_id, known) {
      const sources = listSources(request);
      const records = await uploads.findRecords(
        account_id,
        sources.map(({ url }) => url),
      );
      const limit = pLimit(PARALLEL);
      const checked = await Promise.all(
        sources.map((source) =>
          limit(async (): Promise<Checked> => {
            try {
              return await checkOne(source, account_id, known, records);
            } catch (cause) {
              return { source, filename: '', failure: { cause: toFileFault(cause, source.paths) } };
            }
          }),
        ),
      );
      const failure = checked.map((item) => item.failure).find((item) => item !== undefined);
      if (failure) {
        await discard(checked);
        throw failure.cause;
      }
      const issues = checked.flatMap(({ source, problems, fit, kept, filename }) =>
        problems === undefined
          ? listWrongEndings(request, source.paths, kept?.filename ?? `${filename}.${fit?.extension ?? ''}`)
          : source.paths.flatMap((path) => placeProblems(problems, path)),
      );
      return {
        issues,
        warnings: checked.flatMap(({ source, fit, kept }) => {
          const reason = fit?.changed ?? kept?.changed;
          return reason === undefined ? [] : [toPhotoChanged(reason, source.paths)];
        }),
        digital_files: checked.flatMap(({ source, fit, kept, filename }) => {
          const size_bytes = fit?.staged.size_bytes ?? kept?.size_bytes;
          return size_bytes === undefined ? [] : toSized(source, { filename, size_bytes });
        }),
        async keep() {
          const files = await Promise.all(checked.map((item) => keep(item)));
          return new Map(files);
        },
        discard: () => discard(checked),
      };
    },
  };

  async function keep({ source, fit, kept, filename }: Checked): Promise<[string, PlannedFile]> {
    const key = toMediaKey(source.slot, source.url);
    if (kept) return [key, kept];
    if (!fit) throw new Error('a file with a problem cannot be kept');
    const blob = await blobs.put(fit.staged);
    return [
      key,
      {
        url: source.url,
        ...blob,
        filename: fit.changed === undefined ? withExtension(filename, fit.extension) : toJpegName(filename),
        content_type: fit.content_type,
        ...(fit.changed !== undefined && { changed: fit.changed }),
      },
    ];
  }
}

const GONE: FileProblem = { code: 'upload_gone', params: {} };

function listSources(request: PartialRequest): Source[] {
  const named = [
    ...listUrls(request.images, 'image', 'images'),
    ...listUrls(request.videos, 'video', 'videos'),
    ...listUrls(
      request.listing?.listing_type === 'digital' ? request.digital_files : [],
      'digital',
      'digital_files',
    ),
  ];
  const byKey = new Map<string, Source>();
  for (const { slot, url, path } of named) {
    const key = toMediaKey(slot, url);
    const source = byKey.get(key) ?? { slot, url, paths: [] };
    source.paths.push(path);
    byKey.set(key, source);
  }
  // Files beyond the rules' limit are refused anyway, so they are not downloaded.
  return [...byKey.values()].slice(0, 16);
}

function listUrls(
  files: readonly ({ url?: string | undefined } | undefined)[] | undefined,
  slot: UploadType,
  name: string,
) {
  return (files ?? []).flatMap((file, index) =>
    file?.url !== undefined && /^(https?|service-upload):\/\//i.test(file.url)
      ? [{ slot, url: file.url, path: `${name}[${index}].url` }]
      : [],
  );
}

/**
 * Names given to digital files with an extension other than that of the file, which its bytes were checked against.
 */
function listWrongEndings(request: PartialRequest, paths: readonly string[], filename: string): Issue[] {
  const own = toEnding(filename);
  return paths.flatMap((path): Issue[] => {
    const [, index] = /^digital_files\[(\d+)\]/.exec(path) ?? [];
    const name = index === undefined ? undefined : request.digital_files?.[Number(index)]?.name;
    if (name === undefined || own === undefined) return [];
    const ending = toEnding(name);
    if (ending === own) return [];
    return [{ code: 'file_ending_wrong', at: `digital_files[${index}].name`, params: { ending, own } }];
  });
}

function toEnding(name: string): string | undefined {
  const [, ending] = /\.([A-Za-z0-9]{1,5})$/.exec(name) ?? [];
  return ending?.toLowerCase().replace(/^jpeg$/, 'jpg');
}

function toSized({ slot, paths }: Source, { filename, size_bytes }: Omit<SizedFile, 'path'>): SizedFile[] {
  return slot === 'digital' ? paths.map((path) => ({ path, filename, size_bytes })) : [];
}

function fitsSlot(file: PlannedFile, slot: UploadType): boolean {
  return slot === 'digital' || file.content_type.startsWith(`${slot}/`);
}

/** The last part of the URL's path, as the name to send the file under. */
function toFilename(url: string): string {
  try {
    const last = decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
    return last.replace(/[^\p{L}\p{N}._ -]/gu, '').slice(0, 100) || 'file';
  } catch {
    return 'file';
  }
}

function withExtension(filename: string, extension: string): string {
  return /\.[A-Za-z0-9]{1,5}$/.test(filename) ? filename : `${filename}.${extension}`;
}
