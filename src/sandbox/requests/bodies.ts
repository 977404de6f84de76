import type { CallBody, Route, UploadedPart } from './call.js';
import type { Request } from './endpoint.js';
import { INVENTED } from './messages.js';
import { buildRefusal } from './refusal.js';

const NOTHING: CallBody = { fields: new Map(), json: undefined, uploads: new Map() };

/**
 * Reads the body in the one form that the operation takes. A JSON or multipart operation that gets something
 * else sees an empty body and reports the missing fields, as the marketplace does; a form operation refuses
 * it outright, since an update would otherwise silently change nothing.
 */
export async function readBody(route: Route, request: Request): Promise<CallBody> {
  const type = readContentType(request);
  if (route.body === 'multipart') {
    return type === 'multipart/form-data' ? readMultipart(request) : NOTHING;
  }
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  if (route.body === 'json') {
    return type === 'application/json' ? { ...NOTHING, json: parseJson(bytes) } : NOTHING;
  }
  if (route.body === 'form' && bytes.length > 0) {
    if (type !== 'application/x-www-form-urlencoded') throw buildRefusal(400, INVENTED.content_type_form);
    return { ...NOTHING, fields: new Map(new URLSearchParams(bytes.toString('utf8'))) };
  }
  return NOTHING;
}

/** Without its parameters, in lower case; empty if there is none. */
export function readContentType({ headers }: Request): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw buildRefusal(400, INVENTED.json_malformed);
  }
}

// A part with a filename is an upload, under any name: a rank sent that way does not count as a field.
async function readMultipart(request: Request): Promise<CallBody> {
  const fields = new Map<string, string>();
  const uploads = new Map<string, UploadedPart>();
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') {
        const bytes = await part.toBuffer();
        uploads.set(part.fieldname, { filename: part.filename, content_type: part.mimetype, bytes });
      } else if (typeof part.value === 'string') {
        fields.set(part.fieldname, part.value);
      }
    }
  } catch (error) {
    if (isMissingBoundary(error)) return NOTHING;
    throw buildRefusal(400, INVENTED.body_malformed);
  }
  return { fields, uploads, json: undefined };
}

function isMissingBoundary(error: unknown): boolean {
  return error instanceof Error && /boundary/i.test(error.message);
}
