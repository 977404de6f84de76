export type PagerProps = {
  total: number;
  limit: number;
  offset: number;
  /** The address of the page that begins at an offset. */
  buildHref: (offset: number) => string;
};

/** Links to the previous and the next page; nothing where all is shown. */
export function Pager({ total, limit, offset, buildHref }: PagerProps) {
  if (total <= limit && offset === 0) return null;
  const last = Math.min(offset + limit, total);
  return (
    <nav class="row between" aria-label="Pages">
      {offset > 0 ? (
        <a class="button quiet" rel="prev" href={buildHref(Math.max(0, offset - limit))}>
          Newer
        </a>
      ) : (
        <span />
      )}
      <p class="note number">
        {total === 0 ? 0 : offset + 1} to {last} of {total}
      </p>
      {last < total ? (
        <a class="button quiet" rel="next" href={buildHref(offset + limit)}>
          Older
        </a>
      ) : (
        <span />
      )}
    </nav>
  );
}
