import multipart, { type MultipartValue } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../core/errors.js';
import type { Issue } from '../../../schemas/issue.js';
import { buildValidationError } from '../../core/issues/issues.js';
import type { ReceivedFile } from '../../core/operations/call.js';
import type { Service } from '../service.js';
import { refuseEncoding } from './read_body.js';
import { watchRate } from './watch_rate.js';

/**
 * The core enforces the file's limit while it writes; this one only keeps the parser from truncating the file
 * silently.
 */
const LIMITS = {
  files: 1,
  fields: 8,
  parts: 9,
  fieldNameSize: 100,
  fieldSize: 1_024,
  headerPairs: 20,
  fileSize: Number.MAX_SAFE_INTEGER,
};

const MAX_BOUNDARY = 70;

/**
 * Adds routes whose requests `readForm` may read. Other routes do without the parser, since it costs time on
 * every request.
 */
export function addFormRoutes(server: FastifyInstance, add: (server: FastifyInstance) => void): void {
  void server.register(async (scope) => {
    await scope.register(multipart, { limits: LIMITS });
    add(scope);
  });
}

type Form = { fields: Record<string, string>; file: ReceivedFile | undefined };

/**
 * Reads a form with at most one file, in the part `file`, streamed to disk. The caller discards the file
 * afterwards. Throws UNSUPPORTED_CONTENT, VALIDATION_FAILED for a broken form, or the core's error about the
 * file.
 */
export async function readForm(request: FastifyRequest, uploads: Service['uploads']): Promise<Form> {
  const { fields, files, refused } = await readFiles(request, uploads, { max_files: 1 });
  const [first] = refused;
  if (first) throw first.error;
  return { fields: Object.fromEntries(fields), file: files[0] };
}

/**
 * `refused`: the core's error about a single file, such as that it is empty; the other files are unaffected.
 */
type FilesForm = {
  fields: [name: string, value: string][];
  /** `part`: the name of the file's part. */
  files: (ReceivedFile & { part: string })[];
  refused: { part: string; filename: string; error: ServiceError }[];
};

/**
 * `large`: the form may repeat fields, up to this number of fields and this many bytes in them. `parts`:
 * names of parts with files.
 */
type FilesLimits = {
  max_files: number;
  parts?: readonly string[];
  large?: { fields: number; bytes: number } | undefined;
};

/** Like `readForm`, for a form with several files. */
export async function readFiles(
  request: FastifyRequest,
  uploads: Service['uploads'],
  { max_files, parts = ['file'], large }: FilesLimits,
): Promise<FilesForm> {
  refuseEncoding(request.raw);
  checkBoundary(request.headers['content-type']);
  const stopWatching = watchRate(request.raw);
  const fields: FilesForm['fields'] = [];
  const files: FilesForm['files'] = [];
  const refused: FilesForm['refused'] = [];
  const max_fields = large?.fields ?? LIMITS.fields;
  const limits = {
    ...LIMITS,
    files: max_files,
    fields: max_fields,
    parts: max_fields + max_files,
    fieldSize: large?.bytes ?? LIMITS.fieldSize,
  };
  let rest = large?.bytes ?? Infinity;
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'field') {
        const value = String(part.value);
        rest -= Buffer.byteLength(value);
        const before = large ? [] : fields;
        const problem = findFieldProblem(
          { ...part, valueTruncated: part.valueTruncated || rest < 0 },
          before,
          {
            bytes: limits.fieldSize,
          },
        );
        if (problem) throw buildValidationError([problem]);
        fields.push([part.fieldname, value]);
      } else if (parts.includes(part.fieldname)) {
        const announced_bytes = Number(request.headers['content-length'] ?? 0);
        const filename = part.filename ?? 'file';
        const error = await uploads.receive(part.file, filename, announced_bytes).then(
          (file) => void files.push({ ...file, part: part.fieldname }),
          (cause: unknown) => {
            if (cause instanceof ServiceError && cause.code === 'VALIDATION_FAILED') return cause;
            throw cause;
          },
        );
        // A field of a large form for which no file was chosen.
        if (error && (part.filename || !large)) refused.push({ part: part.fieldname, filename, error });
      } else {
        throw buildValidationError([{ code: 'part_is_file', at: part.fieldname.slice(0, 100), params: {} }]);
      }
    }
    return { fields, files, refused };
  } catch (cause) {
    await Promise.all(files.map((file) => uploads.discard(file)));
    throw cause instanceof ServiceError ? cause : describe(cause, max_files);
  } finally {
    stopWatching();
  }
}

function findFieldProblem(
  { fieldname, value, valueTruncated }: MultipartValue,
  before: FilesForm['fields'],
  { bytes }: { bytes: number },
): Issue | undefined {
  const at = fieldname;
  if (before.some(([name]) => name === fieldname)) return { code: 'given_twice', at, params: {} };
  if (valueTruncated) return { code: 'part_too_large', at, params: { bytes } };
  return String(value).includes('\0') ? { code: 'has_nul', at, params: { is_form: false } } : undefined;
}

export function isForm(contentType: string | undefined): boolean {
  return /^multipart\/form-data\s*(;|$)/i.test(contentType ?? '');
}

function checkBoundary(contentType: string | undefined): void {
  if (!isForm(contentType)) {
    throw new ServiceError(
      'UNSUPPORTED_CONTENT',
      { code: 'content_type_wrong', params: { expected: 'multipart' } },
      { hint: 'Send the file in a part named file, for example with curl -F file=@photo.jpg.' },
    );
  }
  const [, quoted, plain] = /boundary=(?:"([^"]*)"|([^;,\s]*))/i.exec(contentType ?? '') ?? [];
  const boundary = quoted ?? plain ?? '';
  if (boundary === '' || boundary.length > MAX_BOUNDARY) {
    throw new ServiceError('UNSUPPORTED_CONTENT', { code: 'boundary_wrong', params: { most: MAX_BOUNDARY } });
  }
}

/**
 * The parser's own refusals and broken connections are the caller's errors; the library would report them as
 * ours.
 */
function describe(cause: unknown, max_files: number): unknown {
  if (!(cause instanceof Error)) return cause;
  const { code = '' } = cause as NodeJS.ErrnoException;
  if (/LIMIT|TOO_LARGE/.test(code)) {
    return buildValidationError([{ code: 'parts_too_many', at: '', params: { files: max_files } }]);
  }
  // A failure of the disk is ours and is passed on unchanged.
  if (/^(ENOSPC|EIO|EACCES|EPERM|EROFS|EMFILE|ENFILE|EDQUOT)$/.test(code)) return cause;
  return buildValidationError([{ code: 'multipart_broken', at: '', params: {} }]);
}
