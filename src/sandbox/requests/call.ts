import type { SandboxPorts } from '../ports.js';
import type { Settings } from '../settings.js';
import type { Database } from '../store/database.js';

/** Named values of a query or a form, each as one text; the last of a repeated name counts. */
export type Fields = ReadonlyMap<string, string>;

export type UploadedPart = { filename: string; content_type: string; bytes: Buffer };

export type CallBody = { fields: Fields; json: unknown; uploads: ReadonlyMap<string, UploadedPart> };

export type Caller = { user_id: number; scopes: readonly string[] };

/** One admitted call, with everything that a route may use. It runs inside a transaction of `db`. */
export type Call = CallBody & {
  /** The application whose key the call came with. */
  application_id: number;
  db: Database;
  ports: SandboxPorts;
  settings: Settings;
  now_ms: number;
  /** The origin that addresses in the answer begin with. */
  origin: string;
  /** Undefined if the operation needs no user and none was named. */
  caller: Caller | undefined;
  params: Readonly<Record<string, string>>;
  query: Fields;
};

export type Answer = { status: number; body?: unknown; headers?: Readonly<Record<string, string>> };

export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One operation of the marketplace. `path` is below /v3/application; without scopes, the application key is
 * enough.
 */
export type Route = {
  operation: string;
  method: RouteMethod;
  path: string;
  scopes: readonly string[];
  body?: 'form' | 'json' | 'multipart';
  run(call: Call): Answer;
};

export function ok(body: unknown): Answer {
  return { status: 200, body };
}

export function created(body: unknown): Answer {
  return { status: 201, body };
}

export const NO_CONTENT: Answer = { status: 204 };

/** The envelope of every list. */
export function toList(results: readonly unknown[], count = results.length): Answer {
  return ok({ count, results });
}
