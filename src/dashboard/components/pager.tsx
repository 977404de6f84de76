export type PagerProps = {
  total: number;
  limit: number;
  offset: number;
  /** The address of the page that begins at an offset. */
  buildHref: (offset: number) => string;
};

/** Links to the previous and the next page; nothing if one page shows everything. */
export function Pager({ total, limit, offset, buildHref }: PagerProps) {
  if (total <= limit && (offset === 0 || total === 0)) return null;
  if (offset >= total) return <PastTheEnd href={buildHref(Math.floor((total - 1) / limit) * limit)} />;
  const last = Math.min(offset + limit, total);
  return (
    <nav class="row between" aria-label="Pages">
      {offset > 0 ? (
        <a class="button quiet" rel="prev" href={buildHref(Math.max(0, offset - limit))}>
          Previous
        </a>
      ) : (
        <span />
      )}
      <p class="note number">
        {offset + 1} to {last} of {total}
      </p>
      {last < total ? (
        <a class="button quiet" rel="next" href={buildHref(offset + limit)}>
          Next
        </a>
      ) : (
        <span />
      )}
    </nav>
  );
}

/** A bookmarked address may lead past the last page once the list has become shorter. */
function PastTheEnd({ href }: { href: string }) {
  return (
    <nav class="row" aria-label="Pages">
      <p>The list ends before this page.</p>
      <a class="button quiet" rel="prev" href={href}>
        To its last page
      </a>
    </nav>
  );
}
