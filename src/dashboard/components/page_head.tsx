import type { ComponentChildren } from 'preact';
import { Foreign } from '../../pages/index.js';

type PageHeadProps = {
  /** The page above it. */
  up: { href: string; name: string };
  /** The name of what the page shows. */
  title: string;
  badge: ComponentChildren;
  /** A line next to the badge. */
  note: ComponentChildren;
  /** Below both. */
  children?: ComponentChildren;
};

/** The head of a page about one listing, job or order: a link to its list, its name, and its state. */
export function PageHead({ up, title, badge, note, children }: PageHeadProps) {
  return (
    <div class="stack tight">
      <p class="crumbs">
        <a href={up.href}>{up.name}</a>
      </p>
      <h1>
        <Foreign text={title} />
      </h1>
      <p class="row">
        {badge}
        <span class="note">{note}</span>
      </p>
      {children}
    </div>
  );
}
