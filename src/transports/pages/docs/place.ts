/**
 * Where a page of the documentation is read: from this service, from a sandbox service, or as a file of the
 * package.
 */
export type Place = 'served' | 'served_by_sandbox' | 'packaged';

/** @param page `reference`, `events`, `operations/stores_list`, or the name of a guide */
export function linkTo(place: Place, page: string): string {
  if (place === 'packaged') return nameFile(page);
  return page === 'reference' ? '/docs' : `/docs/${page}`;
}

/**
 * The file name of a packaged page. All files are in one folder, so that links between them, and to the
 * style, are plain names.
 */
export function nameFile(page: string): string {
  return page === 'reference' ? 'index.html' : `${page.replace('/', '-')}.html`;
}

/** The page of an operation, for linkTo. */
export function nameOperationPage(operation_id: string): string {
  return `operations/${operation_id}`;
}

/** The stylesheet of packaged pages, in the same folder. */
export const PACKAGED_STYLE = 'style.css';
