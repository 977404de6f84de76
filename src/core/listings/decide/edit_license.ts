import type { FieldDifference } from '../../../../schemas/field_ref.js';
import type { Call } from '../../operations/call.js';
import type { Binding, EditLicense, LicensedCall } from '../../ports/index.js';
import { toDigest } from '../requests/request.js';
import { toLabel } from '../snapshot/field_refs.js';
import { toCanonicalJson } from '../../text/canonical_json.js';

/** How long the repeat of a dry run may overwrite the manual edits it showed. */
export const LICENSE_MS = 30 * 60_000;

/** The call whose dry run grants licenses, and whose repeat uses them up. */
export function toLicensedCall({ caller }: Pick<Call, 'caller'>, { digest }: Binding): LicensedCall {
  return { credential: `${caller.credential}:${caller.credential_id}`, digest };
}

/** Licenses a manual edit that a dry run just showed whole. */
export function toEditLicense(shop_id: number, { ref, after }: FieldDifference): EditLicense {
  return { shop_id, field: toCanonicalJson(ref), value_digest: toDigest(after ?? null) };
}

/** Whether the edit is still the one that was shown. @param licensed the licenses of its shop */
export function isLicensed(licensed: readonly EditLicense[], { ref, after }: FieldDifference): boolean {
  const value_digest = toDigest(after ?? null);
  // A job started by an earlier release has the label.
  const fields = new Set([toCanonicalJson(ref), toLabel(ref)]);
  return licensed.some((license) => fields.has(license.field) && license.value_digest === value_digest);
}
