type Props = {
  /** ISO 8601 */
  at: string;
  /** Shows seconds, for times that are close together. */
  is_exact?: boolean;
};

/** A time in UTC, which a script converts to the browser's own time zone. */
export function Time({ at, is_exact = false }: Props) {
  const text = (is_exact ? EXACT : FORMAT).format(new Date(at));
  return (
    <time dateTime={at} data-local={is_exact ? 'exact' : ''}>
      {`${text} UTC`}
    </time>
  );
}

const FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const EXACT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });
