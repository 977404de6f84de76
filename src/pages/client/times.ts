/* Moments in the reader's own time; without this they stand in UTC. */
const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
/** Of moments that follow one another closely. */
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** Rewrites each marked time once, and removes the mark. */
function showLocalTimes(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-local]')) {
    const chosen = time.dataset['local'] === 'exact' ? exact : format;
    delete time.dataset['local'];
    time.title = time.textContent ?? '';
    time.textContent = chosen.format(new Date(time.dateTime));
  }
}

showLocalTimes();
// Also in what comes later.
new MutationObserver(showLocalTimes).observe(document.body, { childList: true, subtree: true });
