// The README refers to the project's address by a placeholder, since only the package knows where it was
// published.

export const REPOSITORY = 'REPOSITORY_URL';

/** @param {string} url as in package.json */
export function fillReadme(text, url) {
  return text.replaceAll(REPOSITORY, toAddress(url));
}

/** Reverts fillReadme: the address occurs nowhere else in it. */
export function restoreReadme(text, url) {
  return text.replaceAll(toAddress(url), REPOSITORY);
}

/** In the form that `git clone` takes. */
function toAddress(url) {
  return url.replace(/^git\+/, '');
}
