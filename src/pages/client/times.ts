/* Shows times in the reader's own time zone; without this script they are in UTC. */
const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
/** For times that are close together. */
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
// Also handles elements that are added later.
new MutationObserver(showLocalTimes).observe(document.body, { childList: true, subtree: true });
