/**
 * The Content-Security-Policy of every page for people: nothing from elsewhere, nothing inline.
 * @param form_targets origins besides our own that a form of the page may lead to, redirects included; `anywhere` where
 *   they cannot be known
 */
export function buildPolicy({
  form_targets = [],
}: { form_targets?: readonly string[] | 'anywhere' } = {}): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    ...(form_targets === 'anywhere' ? [] : [['form-action', "'self'", ...form_targets].join(' ')]),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}
