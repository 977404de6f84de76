import type { ComponentChildren } from 'preact';
import { Dashboard, type Section } from '../layout.js';
import type { Framing } from '../page.js';
import { FormToken } from './form_token.js';

type ConfirmProps = {
  visit: Framing;
  section: Section;
  /** The question. */
  title: string;
  /** Text that says what will happen. */
  children: ComponentChildren;
  /** The text of the confirmation button. */
  yes: string;
  no: string;
  /** The page to return to without confirming. */
  back: string;
  is_harmless?: boolean;
};

/** A page that asks for confirmation; its form is posted to the page's own path. */
export function Confirm({
  visit,
  section,
  title,
  children,
  yes,
  no,
  back,
  is_harmless = false,
}: ConfirmProps) {
  return (
    <Dashboard visit={visit} title={title} section={section} width="narrow">
      <h1>{title}</h1>
      <form class="card" method="post">
        <FormToken visit={visit} />
        {children}
        <div class="row">
          <button type="submit" class={is_harmless ? undefined : 'danger'}>
            {yes}
          </button>
          <a class="button quiet" href={back}>
            {no}
          </a>
        </div>
      </form>
    </Dashboard>
  );
}
