import { createHash } from 'node:crypto';
import type { Call } from '../../operations/call.js';
import type { Binding, EditLicense, LicensedCall } from '../../ports/index.js';
import { toCanonicalJson } from '../../text/canonical_json.js';
import type { Drift } from './plan.js';

/** How long the repeat of a dry run may overwrite the manual edits that it has shown. */
export const LICENSE_MS = 30 * 60_000;

/** The call whose dry run licenses, and whose repeat uses the licenses up. */
export function toLicensedCall({ caller }: Pick<Call, 'caller'>, { digest }: Binding): LicensedCall {
  return { credential: `${caller.credential}:${caller.credential_id}`, digest };
}

/** Licenses a manual edit, as a dry run has just shown it whole. */
export function toEditLicense(shop_id: number, { field, theirs }: Drift): EditLicense {
  return { shop_id, field, value_digest: digestValue(theirs) };
}

/** Whether the edit is still the one that was shown. @param licensed those of its shop */
export function isLicensed(licensed: readonly EditLicense[], { field, theirs }: Drift): boolean {
  const value_digest = digestValue(theirs);
  return licensed.some((license) => license.field === field && license.value_digest === value_digest);
}

function digestValue(value: unknown): string {
  return createHash('sha256')
    .update(toCanonicalJson(value ?? null))
    .digest('hex');
}
