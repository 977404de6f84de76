/** A file from a form, on disk until the request has been answered. `part`: the name of its field. */
type FormFile = { part: string; path: string; sha256: string; size_bytes: number; filename: string };

/** `refused`: files that were not accepted, each with the service's reason. */
export type PageForm = {
  fields: URLSearchParams;
  files: readonly FormFile[];
  refused: readonly { part: string; filename: string; error: Error }[];
};

/**
 * `parts`: names of the form's fields for files; by default `file`. `large`: a form with files may repeat
 * fields, up to this number of fields and this many bytes in them; otherwise it has a few short ones.
 */
export type FormLimits = {
  max_files: number;
  parts?: readonly string[];
  large?: { fields: number; bytes: number };
};

/** A browser's request, independent of any framework. */
export type PageRequest = {
  /** HEAD arrives as GET. */
  method: 'GET' | 'POST';
  /** Decoded, without the query. */
  path: string;
  query: URLSearchParams;
  cookies: ReadonlyMap<string, string>;
  /** Aborted if the browser disconnects. */
  signal: AbortSignal;
  /**
   * Reads the body, once. Throws a ServiceError if it is not a form, too large, or contains a file where none
   * is accepted (files are written to disk while they arrive).
   */
  readForm(limits: FormLimits): Promise<PageForm>;
  /** Call it for wrong credentials. Throws a ServiceError after too many from the browser's address. */
  countGuess(): Promise<void>;
};

export type PageResponse = {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** An iterable's strings are sent as they arrive, until the browser disconnects. */
  body: string | Buffer | AsyncIterable<string>;
};

/** Pages under one path, served by the HTTP transport. */
export type Site = {
  /** `/dashboard` */
  prefix: string;
  /** Never throws. */
  handle(request: PageRequest): Promise<PageResponse>;
  /** Ends responses that are still being sent. */
  close(): void;
};
