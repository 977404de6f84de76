import type { VNode } from 'preact';
import type { Core } from '../core/core.js';
import type { FormLimits, PageForm, PageRequest, PageResponse } from '../pages/index.js';
import type { Operations } from './operations.js';

/** The answer of a page: HTML, or a response of another kind (see replies.ts). */
export type Answer = VNode | PageResponse;

/** A request for a page, signed in or not. */
export type Visit = {
  request: PageRequest;
  /** The {parameters} of the path. */
  params: Readonly<Record<string, string>>;
  /** The marketplace is the embedded one: nothing reaches the real one, and no money is spent. */
  is_sandbox: boolean;
};

/** A request of a signed-in visitor. */
export type OwnVisit = Visit & {
  account_id: string;
  /** The API key that the person signed in with; null: a sign-in link. */
  key_id: string | null;
  /** Goes into every form, by FormToken. */
  csrf_token: string;
  /** Calls operations as this person. */
  operations: Operations;
  core: Core;
};

/** The parts of a visit that a page's frame and forms need. */
export type Framing = Pick<OwnVisit, 'csrf_token' | 'is_sandbox'>;

/** A POST has passed the check of its token when it arrives. */
export type OwnPost = OwnVisit & { form: PageForm };

export type OwnPage = {
  /** Under /dashboard, with {parameters}: `/listings/{listing_pk}`. */
  path: `/${string}` | '';
  is_public?: false;
  /** Its POST changes things without an operation, so the gate does not block it on a read-only server. */
  is_past_gate?: boolean;
  /** It makes the service send something to a receiver or to the marketplace, which has a limit of its own. */
  is_outward?: boolean;
  /** Maximum number of files in its form; other pages refuse a file unread. */
  max_files?: number;
  /** Further limits of a form with files. */
  form?: Omit<FormLimits, 'max_files'>;
  get?: (visit: OwnVisit) => Answer | Promise<Answer>;
  post?: (visit: OwnPost) => Answer | Promise<Answer>;
};

/** A page that needs no session. */
export type PublicPage = {
  path: `/${string}`;
  is_public: true;
  get?: (visit: Visit) => Answer | Promise<Answer>;
  post?: (visit: Visit & { form: PageForm }) => Answer | Promise<Answer>;
};

/** One file of pages/ exports one or more. */
export type Page = OwnPage | PublicPage;
