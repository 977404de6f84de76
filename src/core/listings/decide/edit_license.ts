import type { FieldDifference } from '../../../../schemas/field_ref.js';
import type { Call } from '../../operations/call.js';
import type { Binding, EditLicense, LicensedCall } from '../../ports/index.js';
import { toDigest } from '../requests/request.js';
import { toLabel } from '../snapshot/field_refs.js';
import { toCanonicalJson } from '../../text/canonical_json.js';

/** How long the repeat of a dry run may overwrite the manual edits that it has shown. */
export const LICENSE_MS = 30 * 60_000;

/** The call whose dry run licenses, and whose repeat uses the licenses up. */
export function toLicensedCall({ caller }: Pick<Call, 'caller'>, { digest }: Binding): LicensedCall {
  return { credential: `${caller.credential}:${caller.credential_id}`, digest };
}

/** Licenses a manual edit, as a dry run has just shown it whole. */
export function toEditLicense(shop_id: number, { ref, after }: FieldDifference): EditLicense {
  return { shop_id, field: toCanonicalJson(ref), value_digest: toDigest(after ?? null) };
}

/** Whether the edit is still the one that was shown. @param licensed those of its shop */
export function isLicensed(licensed: readonly EditLicense[], { ref, after }: FieldDifference): boolean {
  const value_digest = toDigest(after ?? null);
  // A job that an earlier release started has the label.
  const fields = new Set([toCanonicalJson(ref), toLabel(ref)]);
  return licensed.some((license) => fields.has(license.field) && license.value_digest === value_digest);
}
