import type { ComponentChildren } from 'preact';
import { ICON, STYLE } from './assets.js';
import { SandboxNote } from './components/sandbox_note.js';

type LayoutProps = {
  /** The page's title; the product's name is added. */
  title: string;
  children: ComponentChildren;
  /** Shown next to the product's name: navigation, a way to sign out. */
  header?: ComponentChildren;
  /** More for the head, such as scripts. */
  head?: ComponentChildren;
  /** The address of the stylesheet, for a page that is opened from a file. */
  style_href?: string;
  /** The target of the link on the product's name. */
  home_href?: string;
  /**
   * The part that the page belongs to; its header links to the other parts. `alone`: no links, because
   * nothing else is served.
   */
  part?: 'front' | 'dashboard' | 'docs' | 'alone';
  /** `narrow`: for one thing to read or to do. */
  width?: 'wide' | 'narrow';
  /** Shows the sandbox note above the content. */
  is_sandbox?: boolean;
};

export const PRODUCT = 'Marketplace Listing Service';

const TRADEMARK =
  "The term 'Etsy' is a trademark of Etsy, Inc. This application uses the Etsy API but is not endorsed or certified by Etsy, Inc.";

/** Without an address, it is not a link. */
function Brand({ href }: { href: string | undefined }) {
  const Tag = href === undefined ? 'span' : 'a';
  return (
    <Tag class="brand" {...(href !== undefined && { href })}>
      <span class="brand-mark" aria-hidden="true" />
      Listing Service
    </Tag>
  );
}

/** The parts that people open, besides the front page. */
const PARTS = [
  { part: 'dashboard', name: 'Dashboard', path: '/dashboard' },
  { part: 'docs', name: 'Docs', path: '/docs/sellers' },
] as const;

function OtherParts({ part }: Pick<LayoutProps, 'part'>) {
  return (
    <nav class="nav parts" aria-label="Parts of the service">
      {PARTS.filter((other) => other.part !== part).map(({ name, path }) => (
        <a href={path} key={path}>
          {name}
        </a>
      ))}
    </nav>
  );
}

/** The frame of every page: head, skip link, header, main, footer. */
export function Layout({
  title,
  children,
  header,
  head,
  style_href,
  part = 'front',
  home_href = part === 'alone' ? undefined : '/',
  width = 'wide',
  is_sandbox = false,
}: LayoutProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title === PRODUCT ? PRODUCT : `${title} · ${PRODUCT}`}</title>
        <link rel="stylesheet" href={style_href ?? STYLE.path} />
        {style_href === undefined && <link rel="icon" type="image/svg+xml" href={ICON.path} />}
        {head}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="top">
          <div class="top-inner">
            <Brand href={home_href} />
            {header}
            {part !== 'alone' && <OtherParts part={part} />}
          </div>
        </header>
        <main id="main" class={width} tabIndex={-1}>
          {is_sandbox && <SandboxNote />}
          {children}
        </main>
        <footer class="bottom">
          <p>{TRADEMARK}</p>
        </footer>
      </body>
    </html>
  );
}
