/** Where a page of the documentation is read: from this service, or as a file of the package. */
export type Place = 'served' | 'packaged';

/** @param page `reference`, or the name of a guide */
export function linkTo(place: Place, page: string): string {
  if (page === 'reference') return place === 'served' ? '/docs' : 'index.html';
  return place === 'served' ? `/docs/${page}` : `${page}.html`;
}

/** The stylesheet of packaged pages, a file beside them. */
export const PACKAGED_STYLE = 'style.css';
