import { randomUUID } from 'node:crypto';
import type { ListingState } from '../../../../../schemas/listing_request.js';
import type { Clock, ConnectedShop } from '../../../../core/ports/index.js';
import { RefusedError, toRefusal } from '../../../operations.js';
import { Dashboard } from '../../../layout.js';
import type { OwnPost, OwnVisit, Page } from '../../../page.js';
import { redirect, show } from '../../../replies.js';
import { PREFIX, toListingPath } from '../../../routes.js';
import { agreeTo } from '../sale/publish.js';
import type { Editing, Sending } from './edit.js';
import { Editor, type EditorProps } from './editor.js';
import { describeNotSaved, describeNotSavedRefusal } from './not_saved.js';
import { joinProblems, listFormProblems, placeIssues, type Problem } from './problems.js';
import { EDITOR_FORM, open, receive, type Opened } from './receive.js';
import { NewReview } from './review/review.js';
import { buildRequest } from './to_request.js';
import { shopField, type Values } from './values.js';

/** `note`: whether it is saved. */
type More = Pick<EditorProps, 'problems' | 'refused'> & { note?: string };

const PATH = `${PREFIX}/listings/new`;
const TO = { publish: `${PATH}/publish`, draft: `${PATH}/publish`, back: PATH };
/** The listing's page shows the job's progress; the operation need not wait for it. */
const JOB_WAIT_MS = 1_000;

/** The editor of a new listing, and its review. Nothing is saved until the seller asks for it. */
export function createNew(clock: Pick<Clock, 'now'>, editing: Pick<Editing, 'adopt'>): Page[] {
  return [
    {
      path: '/listings/new',
      ...EDITOR_FORM,
      async get(visit) {
        const values = new URLSearchParams({ key: randomUUID(), listing_type: 'physical' });
        const opened = await open(visit, values);
        await setDefaults(visit, values, opened.scope.shops);
        return edit(visit, opened);
      },
      async post(visit) {
        const opened = await receive(visit);
        const step = visit.form.fields.get('step');
        if (step === 'autosave') return autosave(visit, opened);
        if (step === 'another') opened.values.set('key', randomUUID());
        return show(edit(visit, opened), { status: opened.problems.length > 0 ? 400 : 200 });
      },
    },
    {
      path: '/listings/new/review',
      ...EDITOR_FORM,
      is_outward: true,
      async post(visit) {
        const opened = await receive(visit);
        return (await adopt(visit, opened, 'publish')) ?? review(visit, opened);
      },
    },
    {
      path: '/listings/new/save',
      ...EDITOR_FORM,
      async post(visit) {
        const opened = await receive(visit);
        return opened.problems.length > 0 ? again(visit, opened, []) : create(visit, opened, 'draft');
      },
    },
    {
      path: '/listings/new/publish',
      ...EDITOR_FORM,
      is_outward: true,
      async post(visit) {
        const state = visit.form.fields.get('state') === 'active' ? 'active' : 'publish';
        return create(visit, await receive(visit), state);
      },
    },
  ];

  function edit(visit: OwnVisit, opened: Opened, { note, ...more }: More = {}) {
    return (
      <Dashboard visit={visit} title="New listing" section="Listings" scripts={['editor']}>
        <div class="stack tight">
          <p class="crumbs">
            <a href={`${PREFIX}/listings`}>Listings</a>
          </p>
          <h1>New listing</h1>
        </div>
        <Editor
          visit={visit}
          action={PATH}
          opened={opened}
          year={clock.now().getUTCFullYear()}
          hidden={<input type="hidden" name="key" value={opened.values.get('key') ?? ''} />}
          follow={{ step: 'autosave', is_other: false }}
          {...more}
        >
          <div class="row between">
            <p data-editor-extent>{note !== undefined && <strong>{note}</strong>}</p>
            <div class="row">
              <button type="submit" formAction={`${PATH}/review`} data-submit="review">
                Review
              </button>
              <button type="submit" class="quiet" formAction={`${PATH}/save`} data-submit="save">
                Save as draft
              </button>
            </div>
          </div>
          <p class="note">The review shows the fee. Nothing is published before you confirm it.</p>
        </Editor>
      </Dashboard>
    );
  }

  function again(visit: OwnVisit, opened: Opened, problems: Problem[], refused?: RefusedError) {
    return show(edit(visit, opened, { problems, refused: refused?.error }), {
      status: refused?.error.status ?? 400,
    });
  }

  /**
   * Saves the draft as soon as the form is complete enough for one; from then on, the form edits the draft.
   * Problems are shown when the seller saves it.
   */
  async function autosave(visit: OwnPost, opened: Opened) {
    const { values, scope } = opened;
    const own = [...opened.problems, ...listFormProblems(values, scope)];
    const idempotency_key = values.get('key') ?? '';
    const { request, places } = buildRequest(values, scope);
    // For a form with problems of its own, a dry run finds the others.
    const draft = { ...request, state: 'draft', idempotency_key, ...(own.length > 0 && { dry_run: true }) };
    const made = await visit.operations.call('listing_create', draft).catch(toRefusal);
    const adopted = await adopt(visit, opened, 'autosave');
    if (adopted) return adopted;
    const isOther = made instanceof RefusedError && made.error.code !== 'VALIDATION_FAILED';
    const issues = made instanceof RefusedError ? (made.error.issues ?? []) : [];
    const note = isOther
      ? describeNotSavedRefusal(made)
      : describeNotSaved(joinProblems(own, placeIssues(issues, places)), values, scope);
    return show(edit(visit, opened, { note }));
  }

  /** A refusal with each problem at its field; a refusal about anything else is shown as a whole. */
  function refuse(visit: OwnVisit, opened: Opened, refused: RefusedError) {
    const { values, scope } = opened;
    const { code, issues = [] } = refused.error;
    const own = listFormProblems(values, scope);
    if (code !== 'VALIDATION_FAILED') return again(visit, opened, own, refused);
    return again(visit, opened, joinProblems(own, placeIssues(issues, buildRequest(values, scope).places)));
  }

  async function review(visit: OwnPost, opened: Opened, hasChanged = false) {
    const { values, scope } = opened;
    const { request } = buildRequest(values, scope);
    const planned = await visit.operations
      .call('listing_create', { ...request, state: 'active', dry_run: true }, { words: 'seller' })
      .catch(toRefusal);
    if (planned instanceof RefusedError) return refuse(visit, opened, planned);
    const own = [...opened.problems, ...listFormProblems(values, scope)];
    if (own.length > 0) return again(visit, { ...opened, problems: [] }, own);
    return show(
      <NewReview
        {...{ visit, values, request, planned }}
        category={opened.path}
        connected={scope.shops}
        to={TO}
        has_changed={hasChanged}
      />,
      { status: hasChanged ? 409 : 200 },
    );
  }

  /** Undefined until the form has created a listing. */
  async function adopt(visit: OwnPost, opened: Opened, sending: Sending) {
    const key = opened.values.get('key') ?? '';
    const listing_pk = await visit.core.listings.findByKey(visit.account_id, key);
    return listing_pk === undefined ? undefined : editing.adopt(visit, listing_pk, opened, sending);
  }

  async function create(visit: OwnPost, opened: Opened, state: ListingState) {
    const { values, scope } = opened;
    const own = listFormProblems(values, scope);
    const { request } = buildRequest(values, scope);
    const idempotency_key = values.get('key') ?? '';
    let hasOtherFees = false;
    const askConsent = agreeTo(readShown(visit.form.fields), () => {
      hasOtherFees = true;
    });
    // For a form with problems of its own, a dry run finds the others.
    const made = await visit.operations
      .call(
        'listing_create',
        { ...request, state, idempotency_key, ...(own.length > 0 && { dry_run: true }) },
        { wait_ms: JOB_WAIT_MS, askConsent },
      )
      .catch(toRefusal);
    if (made instanceof RefusedError) {
      const isReused = made.error.code === 'IDEMPOTENCY_KEY_REUSED';
      const adopted = isReused && (await adopt(visit, opened, state === 'draft' ? 'save' : 'publish'));
      if (adopted) return adopted;
      return hasOtherFees ? review(visit, opened, true) : refuse(visit, opened, made);
    }
    if (own.length > 0 || made.listing_pk === undefined) return again(visit, opened, own);
    return redirect(toListingPath(made.listing_pk));
  }
}

function readShown(fields: URLSearchParams) {
  const shop_ids = (fields.get('shops') ?? '').split(',').filter((shop_id) => shop_id !== '');
  return { sum: fields.get('sum') ?? '', shop_ids };
}

/** Preselects the profiles of the listing saved last, in its shops, or the only one that a shop has. */
async function setDefaults(
  { core, account_id }: Pick<OwnVisit, 'core' | 'account_id'>,
  values: Values,
  shops: readonly ConnectedShop[],
): Promise<void> {
  if (shops.length === 1) values.set('shop', String(shops[0]?.shop_id));
  const { listings } = await core.listings.list(account_id, { limit: 1, offset: 0 });
  const [last] = listings;
  const { request } = last ? await core.listings.peek(account_id, { listing_pk: last.listing_pk }) : {};
  for (const { shop_id, lists } of shops) {
    const used = request?.shops.find((target) => target.shop_id === shop_id);
    const choose = (field: string, ids: readonly number[], id: number | undefined) => {
      if (id !== undefined && ids.includes(id)) values.set(field, String(id));
    };
    const shipping = lists.shipping_profiles.map(({ shipping_profile_id }) => shipping_profile_id);
    const returns = lists.return_policies.map(({ return_policy_id }) => return_policy_id);
    const processing = lists.processing_profiles.map(({ readiness_state_id }) => readiness_state_id);
    choose(shopField.shipping(shop_id), shipping, findOnly(shipping) ?? used?.shipping_profile_id);
    choose(shopField.returns(shop_id), returns, findOnly(returns) ?? used?.return_policy_id);
    choose(shopField.processing(shop_id), processing, used?.processing_profile_id);
  }
}

function findOnly([id, ...others]: readonly number[]): number | undefined {
  return others.length === 0 ? id : undefined;
}
