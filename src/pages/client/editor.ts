/* The editor of a listing works without this script, which updates the page without reloading it, reorders
   photos by dragging, pastes columns into the table, and counts characters while the seller types. */
const FORM = 'form[data-editor]';

function findForm(): HTMLFormElement | null {
  return document.querySelector<HTMLFormElement>(FORM);
}

function showStatus(sentence: string): void {
  const status = document.querySelector('[data-editor-status]');
  if (status) status.textContent = sentence;
}

let isBusy = false;
/** The button that was pressed while another request was in flight. */
let next: (() => void) | undefined;

/** Sends the form with a button, and replaces the main part of this page with the one in the response. */
async function step(button: HTMLButtonElement): Promise<void> {
  const form = findForm();
  if (!form) return;
  if (isBusy) {
    next = () => pressLike(button);
    return;
  }
  isBusy = true;
  const body = new FormData(form, button);
  const sent = readFields(form);
  form.setAttribute('aria-busy', 'true');
  const hasFiles = [...body.values()].some((value) => value instanceof File && value.size > 0);
  if (hasFiles) showStatus('The files are being uploaded.');
  try {
    const main = await send(form, button.formAction, body).catch(() => say(OFFLINE));
    if (!main) {
      form.removeAttribute('aria-busy');
      return;
    }
    if (replace(main, button.id, sent)) next ??= () => press('refresh');
    showStatus(hasFiles ? 'The files are here.' : '');
    isUnsaved = true;
    plan();
  } finally {
    isBusy = false;
    pressNext();
  }
}

const OFFLINE = 'The connection broke. What you typed is still here: try again.';
const ENDED =
  'Your session has ended. Sign in in another tab, then go on here: what you typed is still here.';

const BUSY =
  'Another change of this listing is running. Try again when it is done: what you typed is still here.';

/** The element that shows whether the form is saved. */
const EXTENT = '[data-editor-extent]';

function say(sentence: string): void {
  const extent = document.querySelector(EXTENT);
  if (extent) extent.textContent = sentence;
  showStatus(sentence);
}

/** `problem`: why the page that comes back has no form. */
async function fetchMain(url: string, body?: FormData): Promise<{ main?: HTMLElement; problem: string }> {
  const headers = { accept: 'text/html' };
  const answer = await fetch(url, body ? { method: 'POST', body, headers } : { headers });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const main = page.querySelector('main');
  if (main?.querySelector(FORM)) return { main, problem: '' };
  if (answer.url.includes('/sign-in')) return { problem: ENDED };
  const alert = main?.querySelector('[role=alert]')?.textContent ?? '';
  return { problem: answer.ok ? BUSY : `${alert} What you typed is still here.`.trim() };
}

/** Whether the form can be sent now. After another sign-in, it gets the token of the new session. */
async function renew(form: HTMLFormElement): Promise<boolean> {
  const token = `${FORM} [name=csrf_token]`;
  const { main, problem } = await fetchMain(form.action);
  const fresh = main?.querySelector<HTMLInputElement>(token);
  const own = document.querySelector<HTMLInputElement>(token);
  if (!fresh || !own) {
    say(problem);
    return false;
  }
  own.value = fresh.value;
  return true;
}

/** The main part of the page that comes back; undefined, and said, if the form cannot be sent now. */
async function send(form: HTMLFormElement, url: string, body: FormData): Promise<HTMLElement | undefined> {
  const { main } = await fetchMain(url, body);
  if (main || !(await renew(form))) return main;
  body.set('csrf_token', new FormData(form).get('csrf_token') ?? '');
  const again = await fetchMain(url, body);
  if (!again.main) say(again.problem);
  return again.main;
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** The visible fields, by their keys. */
function listFields(form: ParentNode): [string, Field][] {
  const fields = form.querySelectorAll<Field>('input:not([type=hidden], [type=file]), select, textarea');
  return [...fields].map((field) => [field.id || `${field.name}=${isTick(field) ? field.value : ''}`, field]);
}

function isTick(field: Field): field is HTMLInputElement {
  return field instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(field.type);
}

function readField(field: Field): string {
  return isTick(field) ? String(field.checked) : field.value;
}

function readFields(form: ParentNode): Map<string, string> {
  return new Map(listFields(form).map(([name, field]) => [name, readField(field)]));
}

/** Copies text that was typed since the form was sent into the fields of the new one. */
function keepTyped(main: ParentNode, sent: ReadonlyMap<string, string>): boolean {
  const now = readFields(findForm() ?? document);
  const typed = listFields(main).filter(
    ([name]) => now.has(name) && sent.has(name) && now.get(name) !== sent.get(name),
  );
  for (const [name, field] of typed) {
    if (isTick(field)) field.checked = now.get(name) === 'true';
    else field.value = now.get(name) ?? '';
  }
  return typed.length > 0;
}

/**
 * The server rendered it, with everything escaped. Focus, cursor positions and open sections are kept, and the
 * focused field stays where it is on the screen.
 * @param sent the fields as they were sent
 * @returns whether something was typed since then
 */
function replace(main: HTMLElement, pressed: string, sent: ReadonlyMap<string, string>): boolean {
  const isTyped = keepTyped(main, sent);
  const active = document.activeElement;
  const focused = active && active !== document.body ? active.id || pressed : pressed;
  const open = [...document.querySelectorAll('main details[open]')].map(({ id }) => id);
  const top = scrollY;
  const height = active?.getBoundingClientRect().top ?? 0;
  const place = active instanceof HTMLTextAreaElement || isText(active) ? active.selectionStart : null;
  const before = findForm()?.action;
  const said = document.querySelector(EXTENT);
  document.querySelector('main')?.replaceWith(main);
  // Runs before the scroll position is restored, because it hides elements.
  improve();
  // The form of an unsaved listing comes without a status, so keep the one on the page.
  const extent = main.querySelector(EXTENT);
  if (said && extent?.textContent === '') extent.replaceWith(said);
  // A new listing has become a draft with a page of its own.
  const address = findForm()?.action;
  if (address !== undefined && address !== before) history.replaceState(null, '', address);
  for (const id of open) document.getElementById(id)?.setAttribute('open', '');
  scrollTo({ top, behavior: 'instant' });
  // A click outside the fields leaves nothing focused.
  const again = document.getElementById(focused);
  if (again && again.id === active?.id) {
    scrollBy({ top: again.getBoundingClientRect().top - height, behavior: 'instant' });
  }
  again?.focus({ preventScroll: true });
  if (place !== null && (again instanceof HTMLTextAreaElement || isText(again)))
    again.setSelectionRange(place, place);
  return isTyped;
}

function isText(field: Element | null): field is HTMLInputElement {
  return field instanceof HTMLInputElement && field.type === 'text';
}

document.addEventListener('submit', (event) => {
  const button = event.submitter;
  if (!(button instanceof HTMLButtonElement) || !button.closest(FORM)) return;
  if (button.dataset['step'] === undefined && isLeaving) {
    isUnsaved = false;
    return;
  }
  event.preventDefault();
  if (button.dataset['step'] === undefined) void leave(button);
  else void step(button);
});

/** Whether the form is being submitted to another page. */
let isLeaving = false;
addEventListener('pageshow', () => {
  isLeaving = false;
});

/**
 * Submits the form to another page, if there is a connection and a session: otherwise the typed text would be
 * lost.
 */
async function leave(button: HTMLButtonElement): Promise<void> {
  if (isBusy) {
    next = () => pressLike(button);
    return;
  }
  const form = findForm();
  if (!form) return;
  isBusy = true;
  try {
    isLeaving = await renew(form);
  } catch {
    say(OFFLINE);
  } finally {
    isBusy = false;
  }
  if (isLeaving) button.click();
  else pressNext();
}

/** Presses the equivalent of a button whose form has been replaced since. */
function pressLike({ value, dataset: { submit } }: HTMLButtonElement): void {
  // The seller has not yet seen someone else's changes.
  if (submit !== undefined && document.querySelector<HTMLInputElement>(`${FORM} [name=seen]`)?.value) return;
  const same = submit === undefined ? `button[value="${CSS.escape(value)}"]` : `[data-submit=${submit}]`;
  document.querySelector<HTMLButtonElement>(`${FORM} ${same}`)?.click();
}

document.addEventListener('change', (event) => {
  const field = event.target;
  if (!(field instanceof HTMLElement) || !field.closest(FORM)) return;
  const pressed = findPressed(field);
  const button = pressed && document.querySelector<HTMLButtonElement>(`#${pressed}`);
  if (button) void step(button);
});

/** The button that a change of a field presses. */
function findPressed(field: HTMLElement): string | undefined {
  const name = field.getAttribute('name') ?? '';
  if (['option_name', 'option_values', 'option_scale', 'priced_by', 'pictured', 'shop'].includes(name))
    return 'refresh';
  return field.dataset['press'];
}

/** Whether closing the page would lose typed text. */
let isUnsaved = false;

addEventListener('beforeunload', (event) => {
  if (isUnsaved) event.preventDefault();
});

const PAUSE_MS = 1_000;
const RETRY_MS = 5_000;
let timer: ReturnType<typeof setTimeout> | undefined;

document.addEventListener('input', ({ target }) => {
  if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) count(target);
  if (target instanceof HTMLInputElement && target.type === 'file') return;
  if (!(target instanceof Element) || !target.closest(FORM)) return;
  isUnsaved = true;
  plan();
});

function plan(pause_ms = PAUSE_MS): void {
  clearTimeout(timer);
  timer = setTimeout(() => void follow(), pause_ms);
}

/**
 * Sends the form during a pause: this saves a draft, and the end of the form then says so; for an edit, it
 * lists the changes and their cost.
 */
async function follow(): Promise<void> {
  const form = findForm();
  const asked = form?.dataset['follow'];
  if (!form || asked === undefined) return;
  if (isBusy) {
    plan();
    return;
  }
  isBusy = true;
  const body = new FormData(form);
  for (const { name } of form.querySelectorAll<HTMLInputElement>('input[type=file]')) body.delete(name);
  body.set('step', asked);
  const sent = readFields(form);
  try {
    const main = await send(form, form.action, body).catch(() => {
      say(OFFLINE);
      plan(RETRY_MS);
    });
    const fresh = main?.querySelector<HTMLFormElement>(FORM);
    if (!main || !fresh || findForm() !== form) return;
    const isTyped = [...listFields(form)].some(([id, field]) => sent.get(id) !== readField(field));
    isUnsaved = isTyped || !fresh.querySelector('[data-saved]');
    if (fresh.dataset['other'] !== undefined) {
      if (replace(main, '', sent)) plan();
      showStatus(document.querySelector(EXTENT)?.textContent ?? '');
      return;
    }
    for (const part of [EXTENT, 'input[name=base]']) {
      const now = fresh.querySelector(part);
      if (now) form.querySelector(part)?.replaceWith(now);
    }
  } finally {
    isBusy = false;
    pressNext();
  }
}

function pressNext(): void {
  const again = next;
  next = undefined;
  again?.();
}

function count(field: HTMLInputElement | HTMLTextAreaElement): void {
  const { count: most, countOf: of } = field.dataset;
  const shown = field.closest('.field')?.querySelector<HTMLElement>('[data-counted]');
  if (most === undefined || !shown) return;
  const isWords = of === 'words';
  const used = isWords
    ? field.value.split(',').filter((word) => word.trim() !== '').length
    : [...field.value].length;
  shown.textContent = `${used} of ${most}${isWords ? '' : ' characters'}`;
  shown.classList.toggle('problem', used > Number(most));
}

/** Pastes one or more columns of a spreadsheet, starting at the cell. */
document.addEventListener('paste', (event) => {
  const cell = event.target;
  if (!(cell instanceof HTMLInputElement) || cell.dataset['column'] === undefined) return;
  const lines = (event.clipboardData?.getData('text/plain') ?? '').replace(/\r?\n$/, '').split(/\r?\n/);
  if (lines.length < 2 && !lines[0]?.includes('\t')) return;
  event.preventDefault();
  const rows = [...(cell.closest('tbody')?.rows ?? [])];
  const row = rows.findIndex((one) => one.contains(cell));
  const column = listCells(rows[row]).indexOf(cell);
  lines.forEach((line, down) => {
    line.split('\t').forEach((text, across) => {
      const to = listCells(rows[row + down])[column + across];
      if (to) to.value = text.trim();
    });
  });
  showStatus(`Pasted ${lines.length} rows.`);
});

function listCells(row: Element | undefined): HTMLInputElement[] {
  return [...(row?.querySelectorAll<HTMLInputElement>('input[data-column]') ?? [])];
}

/**
 * Photos are dragged by their picture, with a mouse or a finger. The form sends them in their order on the
 * page.
 */
function drag(picture: HTMLElement): void {
  const item = picture.closest('li');
  const list = item?.parentElement;
  if (!item || !list) return;
  picture.addEventListener('pointerdown', (start) => {
    if (start.button !== 0) return;
    start.preventDefault();
    picture.setPointerCapture(start.pointerId);
    item.classList.add('dragged');
  });
  picture.addEventListener('pointermove', ({ clientX, clientY, pointerId }) => {
    if (!picture.hasPointerCapture(pointerId)) return;
    const over = document.elementFromPoint(clientX, clientY)?.closest('li');
    if (!over || over === item || over.parentElement !== list) return;
    const isAfter = item.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING;
    list.insertBefore(item, isAfter ? over.nextSibling : over);
    picture.setPointerCapture(pointerId);
  });
  const drop = () => {
    if (!item.classList.contains('dragged')) return;
    item.classList.remove('dragged');
    press('refresh');
  };
  picture.addEventListener('pointerup', drop);
  picture.addEventListener('pointercancel', drop);
}

function press(id: string): void {
  const button = document.querySelector<HTMLButtonElement>(`#${id}`);
  if (button) void step(button);
}

/** Hides elements that the script makes unnecessary, and enables those that need it. */
function improve(): void {
  for (const button of document.querySelectorAll<HTMLElement>(`${FORM} [data-auto]`)) button.hidden = true;
  for (const picture of document.querySelectorAll<HTMLElement>('[data-photos] [data-drag]')) drag(picture);
}

improve();
