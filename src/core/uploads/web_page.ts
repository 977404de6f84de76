/** The type of a page that came where a file was expected: links to Google Drive or Dropbox mostly lead to one. */
export const WEB_PAGE_TYPE = 'text/html';

/** The end of a sentence that begins with the path of the file. */
export const WEB_PAGE_PROBLEM =
  'is a web page, not the file itself; use the own link of the file (Google Drive: https://drive.google.com/uc?export=download&id=FILE_ID, shared with anyone who has the link; Dropbox: end the link in dl=1), or upload the file';
