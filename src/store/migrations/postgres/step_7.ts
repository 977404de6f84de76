/** A copy that is saved as a draft is bound long after its listing was created. Instances of the release before write no time. */
export const STEP_7 = ['ALTER TABLE digest_bindings ADD COLUMN bound_at TEXT COLLATE "C";'];
