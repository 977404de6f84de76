import type { ComponentChildren } from 'preact';
import { parseUrl } from '../../core/text/parse_url.js';

/** A link to another site with an address from outside: http and https only, and without a referrer. */
export function ForeignLink({ href, children }: { href: string; children: ComponentChildren }) {
  const isWeb = /^https?:$/.test(parseUrl(href)?.protocol ?? '');
  if (!isWeb) return <>{children}</>;
  return (
    <a href={href} rel="noreferrer noopener" target="_blank">
      {children}
      <span class="visually-hidden"> (opens in a new window)</span>
    </a>
  );
}
