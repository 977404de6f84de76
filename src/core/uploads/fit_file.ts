import type { Fact, FileProblem } from '../../../schemas/issue.js';
import type { StagedFile } from '../ports/index.js';

/** A file that was checked and is fit for its slot. `changed`: how a photo was converted. */
export type FitFile = {
  staged: StagedFile;
  content_type: string;
  extension: string;
  changed?: Fact | undefined;
};

export type Inspected = { ok: true; file: FitFile } | { ok: false; problems: readonly FileProblem[] };
