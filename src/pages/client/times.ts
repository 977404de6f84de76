/* Moments in the reader's own time; without this they stand in UTC. */
const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Once per element: what has been turned loses its mark. */
function showLocalTimes(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-local]')) {
    delete time.dataset['local'];
    time.title = time.textContent ?? '';
    time.textContent = format.format(new Date(time.dateTime));
  }
}

showLocalTimes();
// Also in what comes later.
new MutationObserver(showLocalTimes).observe(document.body, { childList: true, subtree: true });
