import type { ComponentChildren } from 'preact';
import { parseUrl } from '../../core/text/parse_url.js';

/** To another site, by an address that somebody else gave: only over the web, and without telling where from. */
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
