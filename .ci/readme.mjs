// The README names the project's address by a placeholder, since only the package knows where it was published.

export const REPOSITORY = 'REPOSITORY_URL';

/** @param {string} url as package.json has it */
export function fillReadme(text, url) {
  return text.replaceAll(REPOSITORY, toAddress(url));
}

/** Back from fillReadme: the address stands nowhere else in it. */
export function restoreReadme(text, url) {
  return text.replaceAll(toAddress(url), REPOSITORY);
}

/** As `git clone` takes it. */
function toAddress(url) {
  return url.replace(/^git\+/, '');
}
