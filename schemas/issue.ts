import type { AccessParams } from './issues/access.js';
import type { BatchParams } from './issues/batches.js';
import type { CallParams } from './issues/calls.js';
import type { ChangeParams } from './issues/changes.js';
import type { ConnectParams } from './issues/connecting.js';
import type { Coded } from './issues/facts.js';
import type { FileParams, UploadParams } from './issues/files.js';
import type { ImportParams } from './issues/imports.js';
import type { FailureParams } from './issues/failures.js';
import type { ListingParams, ShopParams } from './issues/listing.js';
import type { FaultParams, MarketplaceParams } from './issues/marketplace.js';
import type { NoteParams } from './issues/notes.js';
import type { RequestParams } from './issues/requests.js';
import type { SheetParams } from './issues/sheets.js';
import type { StateParams } from './issues/states.js';
import type { PublishWarningParams } from './issues/publish_warnings.js';
import type { RequestWarningParams } from './issues/request_warnings.js';
import type { UpdateFailureParams, UpdateWarningParams } from './issues/update_warnings.js';
import type { ValueParams } from './issues/values.js';

/** A path in a request, as a caller would write it: `shops[0].price`; empty for the request as a whole. */
export type Path = string;

/** The params that the words of each code need. */
export type IssueParams = ValueParams &
  ListingParams &
  ShopParams &
  FileParams &
  UploadParams &
  ChangeParams &
  BatchParams &
  SheetParams &
  ImportParams &
  CallParams &
  RequestParams &
  AccessParams &
  StateParams &
  ConnectParams &
  MarketplaceParams &
  FaultParams &
  FailureParams &
  NestedParams &
  PublishWarningParams &
  RequestWarningParams &
  UpdateWarningParams &
  UpdateFailureParams;
export type IssueCode = keyof IssueParams;

/** Facts that contain other problems. `hint`: for programs and assistants. */
export type NestedParams = {
  not_imported: { problems: readonly Issue[]; hint?: string | undefined };
};

/** An addition to an issue, such as the available choices. */
export type Note = Coded<NoteParams>;
export type NoteCode = keyof NoteParams;
export type { NoteParams };

/** A problem, a warning or a failure, as data. core/issues has the words. */
export type Fact = Coded<IssueParams>;

/** A problem of a request. `shop_name`: of the shop in the path; sellers read it in place of the shop's number. */
export type Issue = Fact & { at: Path; notes?: readonly Note[]; shop_name?: string | undefined };

/** A problem of a single value. */
export type ValueProblem = Coded<ValueParams>;

/** A problem of a file, at any path where a request names it. */
export type FileProblem = Coded<FileParams>;
