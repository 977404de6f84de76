/** A file that came in a form, on disk until the request has been answered. `part`: the name of its field. */
type FormFile = { part: string; path: string; sha256: string; size_bytes: number; filename: string };

/** `refused`: files that were not taken, with what the service says of each. */
export type PageForm = {
  fields: URLSearchParams;
  files: readonly FormFile[];
  refused: readonly { part: string; filename: string; error: Error }[];
};

/**
 * `parts`: names of the form's fields for files; by default `file`. `large`: a form with files may repeat fields, and has at most this
 * many of them and this many bytes in them; otherwise it has a few short ones.
 */
export type FormLimits = {
  max_files: number;
  parts?: readonly string[];
  large?: { fields: number; bytes: number };
};

/** A browser's request, free of any framework. */
export type PageRequest = {
  /** HEAD comes as GET. */
  method: 'GET' | 'POST';
  /** Decoded, without the query. */
  path: string;
  query: URLSearchParams;
  cookies: ReadonlyMap<string, string>;
  /** Aborted when the browser goes away. */
  signal: AbortSignal;
  /**
   * Reads the body, once. Throws a ServiceError when it is no form, too large, or brings a file where none is taken (files
   * are written to disk while they arrive).
   */
  readForm(limits: FormLimits): Promise<PageForm>;
  /** For wrong credentials. Throws a ServiceError after too many from the browser's address. */
  countGuess(): Promise<void>;
};

export type PageResponse = {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Strings that come one by one are sent as they come, until the browser goes away. */
  body: string | Buffer | AsyncIterable<string>;
};

/** Pages under one path, served by the HTTP transport. */
export type Site = {
  /** `/dashboard` */
  prefix: string;
  /** Never throws. */
  handle(request: PageRequest): Promise<PageResponse>;
  /** Ends the responses that are still being sent. */
  close(): void;
};
