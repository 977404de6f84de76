/**
 * The Content-Security-Policy of every page: nothing from elsewhere, nothing inline.
 * @param form_targets where a form of the page may lead, including redirects; `anywhere` if that cannot be
 * known
 */
export function buildPolicy({ form_targets = 'own' }: { form_targets?: 'own' | 'anywhere' } = {}): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    ...(form_targets === 'own' ? ["form-action 'self'"] : []),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}
