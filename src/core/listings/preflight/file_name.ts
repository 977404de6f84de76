/** A digital file's name as the marketplace takes it: 3 to 70 of letters, digits, period, hyphen and underscore, its ending kept. */
export function toFileName(name: string): string {
  const match = /^(.*?)(\.[A-Za-z0-9]{1,5})?$/s.exec(name.normalize('NFKD'));
  const ending = match?.[2] ?? '';
  const stem = (match?.[1] ?? '')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^-+|-+$/g, '');
  const full = `${(stem || 'file').slice(0, 70 - ending.length)}${ending}`;
  return full.length >= 3 ? full : `file-${full}`;
}
