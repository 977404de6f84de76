import type { ComponentChildren } from 'preact';
import { Layout } from '../../../pages/index.js';
import { API_PREFIX } from '../../rest/rest.js';
import type { Guide } from './guides.js';
import { linkTo, PACKAGED_STYLE, type Place } from './place.js';

type FrameProps = {
  title: string;
  place: Place;
  /** `reference`, or the name of a guide. */
  current: string;
  guides: readonly Guide[];
  children: ComponentChildren;
};

/** The frame of every page of the documentation, with the way to the others. */
export function DocsFrame({ title, place, current, guides, children }: FrameProps) {
  const pages = [{ name: 'reference', title: 'Reference' }, ...guides];
  const openapi = place === 'served' ? `${API_PREFIX}/openapi.json` : 'openapi.json';
  return (
    <Layout
      title={title}
      {...(place === 'packaged'
        ? { style_href: PACKAGED_STYLE, home_href: 'index.html', part: 'alone' }
        : { part: 'docs' })}
      header={
        <nav class="nav" aria-label="Documentation">
          {pages.map((page) => (
            <a
              key={page.name}
              href={linkTo(place, page.name)}
              {...(page.name === current && { 'aria-current': 'page' })}
            >
              {page.title}
            </a>
          ))}
          <a href={openapi}>OpenAPI</a>
        </nav>
      }
    >
      {children}
    </Layout>
  );
}
