/** The type of a page that came where a file was expected: links to Google Drive or Dropbox mostly lead to one. */
export const WEB_PAGE_TYPE = 'text/html';
