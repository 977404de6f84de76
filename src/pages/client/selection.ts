/* Keeps the boxes of the list consistent, and counts the selected listings in the bar of their actions. */
const count = document.querySelector<HTMLElement>('[data-selected-of]');
const form = count?.closest('form');

function showCount(): void {
  if (!count || !form) return;
  const isAll = form.querySelector('input[name=all]:checked') !== null;
  const ticked = form.querySelectorAll('input[name=listing]:checked').length;
  const selected = isAll ? Number(count.dataset['selectedOf']) : ticked;
  count.hidden = selected === 0;
  count.textContent = `${selected} listing${selected === 1 ? '' : 's'} selected`;
}

/** "All" also checks the listings on the page. Unchecking one of them unchecks "all", which leaves only the checked ones. */
function follow({ target }: Event): void {
  const all = form?.querySelector<HTMLInputElement>('input[name=all]');
  if (!(target instanceof HTMLInputElement) || !all) return;
  if (target === all) {
    for (const box of form?.querySelectorAll<HTMLInputElement>('input[name=listing]') ?? []) {
      box.checked = all.checked;
    }
  } else if (target.name === 'listing' && !target.checked) all.checked = false;
}

form?.addEventListener('change', (event) => {
  follow(event);
  showCount();
});
// A browser that goes back restores the boxes.
addEventListener('pageshow', showCount);
