import type { StagedFile } from '../ports/index.js';

/** A file that has been looked at and is fit for its slot. `changed`: what was done to a photo, as a sentence. */
export type FitFile = {
  staged: StagedFile;
  content_type: string;
  extension: string;
  changed?: string | undefined;
};

export type Inspected = { ok: true; file: FitFile } | { ok: false; problem: string };
