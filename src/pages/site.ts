/** A file that came in a form, on disk until the request has been answered. */
type FormFile = { path: string; sha256: string; size_bytes: number; filename: string };

/** `refused`: files that were not taken, with what the service says of each. */
export type PageForm = {
  fields: URLSearchParams;
  files: readonly FormFile[];
  refused: readonly { filename: string; error: Error }[];
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
  readForm(options: { max_files: number }): Promise<PageForm>;
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
