import type { CallParams } from './issues/calls.js';
import type { ChangeParams } from './issues/changes.js';
import type { FileParams, UploadParams } from './issues/files.js';
import type { ListingParams, ShopParams } from './issues/listing.js';
import type { NoteParams } from './issues/notes.js';
import type { ValueParams } from './issues/values.js';

/** A place in a request, as a caller would write it: `shops[0].price`; empty for the request as a whole. */
export type Path = string;

/** What each code needs to be put into words. */
export type IssueParams = ValueParams &
  ListingParams &
  ShopParams &
  FileParams &
  UploadParams &
  ChangeParams &
  CallParams;
export type IssueCode = keyof IssueParams;

type Coded<Params> = { [Code in keyof Params]: { code: Code; params: Params[Code] } }[keyof Params];

/** An addition to an issue, such as the choices that there are. */
export type Note = Coded<NoteParams>;
export type NoteCode = keyof NoteParams;
export type { NoteParams };

/** A problem of a request, as data. core/issues has the words. */
export type Issue = Coded<IssueParams> & { at: Path; notes?: readonly Note[] };

/** A problem of a single value. */
export type ValueProblem = Coded<ValueParams>;

/** A problem of a file, wherever a request names it. */
export type FileProblem = Coded<FileParams>;
