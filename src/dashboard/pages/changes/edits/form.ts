import type { BatchEdit } from '../../../../../schemas/batch.js';
import type { EditField } from '../field.js';

/** A way to change a field: a form of its own, which needs no scripts. */
export type EditForm = {
  op: string;
  title: string;
  note?: string;
  fields: EditField[];
  /** For a form without a choice of shops. */
  is_of_all_shops?: true;
  /** @param urls uploaded photos of the form */
  read: (fields: URLSearchParams, urls: readonly string[]) => BatchEdit[];
};
