/** The type of a web page that came instead of the expected file: links to Google Drive or Dropbox usually lead to one. */
export const WEB_PAGE_TYPE = 'text/html';
