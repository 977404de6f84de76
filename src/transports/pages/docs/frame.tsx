import type { ComponentChildren } from 'preact';
import { Layout } from '../../../pages/index.js';
import { API_PREFIX } from '../../rest/rest.js';
import type { Contents } from './contents.js';
import { linkTo, PACKAGED_STYLE, type Place } from './place.js';

type FrameProps = {
  title: string;
  place: Place;
  /** The name of the page, as in the contents. */
  current: string;
  contents: Contents;
  /** The search words. */
  words?: string;
  children: ComponentChildren;
};

export const SEARCH_PATH = '/docs/search';

/** The frame of every page of the documentation: the search, and a sidebar with all pages. */
export function DocsFrame({ title, place, current, contents, words = '', children }: FrameProps) {
  return (
    <Layout
      title={title}
      is_sandbox={place === 'served_by_sandbox'}
      {...(place === 'packaged'
        ? { style_href: PACKAGED_STYLE, home_href: 'index.html', part: 'alone' }
        : { part: 'docs' })}
    >
      <div class="docs">
        <div class="docs-tools">
          {place !== 'packaged' && <Search words={words} />}
          <a class="docs-jump" href="#all-pages">
            All pages
          </a>
        </div>
        <div class="docs-page">{children}</div>
        <AllPages place={place} current={current} contents={contents} />
      </div>
    </Layout>
  );
}

/** Needs no script: the service answers the search. */
function Search({ words }: { words: string }) {
  return (
    <form class="search" role="search" method="get" action={SEARCH_PATH}>
      <label class="visually-hidden" for="search">
        Search the documentation
      </label>
      <input id="search" name="q" type="search" maxLength={100} value={words} placeholder="Search the docs" />
      <button type="submit" class="quiet">
        Search
      </button>
    </form>
  );
}

function AllPages({ place, current, contents }: Pick<FrameProps, 'place' | 'current' | 'contents'>) {
  const openapi = place !== 'packaged' ? `${API_PREFIX}/openapi.json` : 'openapi.json';
  return (
    <nav class="docs-list" id="all-pages" aria-label="All pages">
      {contents.map(({ subject, pages }) => (
        <section key={subject}>
          <h2>{subject}</h2>
          <ul>
            {pages.map(({ name, title }) => (
              <li key={name}>
                <a href={linkTo(place, name)} {...(name === current && { 'aria-current': 'page' })}>
                  {title}
                </a>
              </li>
            ))}
            {subject === 'Reference' && (
              <li>
                <a href={openapi}>OpenAPI, for programs</a>
              </li>
            )}
          </ul>
        </section>
      ))}
    </nav>
  );
}
