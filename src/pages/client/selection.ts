/* Counts the selected listings in the bar of their actions. */
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

form?.addEventListener('change', showCount);
// A browser that goes back restores the boxes.
addEventListener('pageshow', showCount);
