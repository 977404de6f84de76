import { toNumberOrNull, type Reader, type Wire } from './map/read.js';

const PAGE = 100;
/** The marketplace takes no offset beyond it. */
const MAX_OFFSET = 12_000;

/** All pages of a list. An entry that moves to another page while they are read may come twice. */
export async function listPages(
  read: Reader,
  fetchPage: (page: { limit: number; offset: number }) => Promise<unknown>,
): Promise<Wire[]> {
  const all: Wire[] = [];
  for (let offset = 0; offset <= MAX_OFFSET; offset += PAGE) {
    const body = await fetchPage({ limit: PAGE, offset });
    const results = read.results(body);
    all.push(...results);
    const count = toNumberOrNull(read.object(body)['count']) ?? 0;
    if (results.length < PAGE || offset + PAGE >= count) break;
  }
  return all;
}
