/* Moments in the reader's own time; without this they stand in UTC. */
const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Once per element: what has been turned loses its mark. */
export function showLocalTimes(root: ParentNode): void {
  for (const time of root.querySelectorAll<HTMLTimeElement>('time[data-local]')) {
    delete time.dataset['local'];
    time.title = time.textContent ?? '';
    time.textContent = format.format(new Date(time.dateTime));
  }
}

showLocalTimes(document);
