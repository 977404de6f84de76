/** A call whose dry run may have licensed the overwriting of manual edits. */
export type LicensedCall = {
  /** `credential_id` of the caller. */
  credential: string;
  /** Digest of the body, without dry_run. */
  digest: string;
};

/**
 * Permission to overwrite one manual edit, for as long as the field has the value that a dry run showed.
 * `field`: its FieldRef, as JSON.
 */
export type EditLicense = { shop_id: number; field: string; value_digest: string };
