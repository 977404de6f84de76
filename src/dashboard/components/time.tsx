/** A moment in UTC, which a script turns into the browser's own time. @param at ISO 8601 */
export function Time({ at }: { at: string }) {
  const text = FORMAT.format(new Date(at));
  return (
    <time dateTime={at} data-local>
      {`${text} UTC`}
    </time>
  );
}

const FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
