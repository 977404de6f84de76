import type { Clock, Refused } from '../../../core/ports/index.js';
import { formatCount } from '../../../core/text/format_count.js';
import { Foreign } from '../../../pages/index.js';
import { FormToken } from '../../components/form_token.js';
import { Notice, Problems, Refusal } from '../../components/notice.js';
import { Dashboard } from '../../layout.js';
import type { Framing, OwnPost, OwnVisit, Page } from '../../page.js';
import { redirect, show } from '../../replies.js';
import { RefusedError, toRefusal } from '../../operations.js';
import { MOST_PHOTOS } from '../listing/product/add_photos.js';
import { buildListingsHref } from '../listings_query.js';
import { PATIENCE } from './actions.js';
import { isKind, KINDS, type KindName } from './edits/edits.js';
import type { EditForm } from './edits/form.js';
import { Field } from './field.js';
import { listWrongNumbers, type FieldProblem } from './numbers.js';
import { PATH, toBatchPath } from './read.js';
import { Selected } from './selected.js';
import { listTicked, readScope, readSelection, type Scope } from './selection.js';
import { SheetForm } from './sheet.js';

/**
 * The page to choose a change for the selected listings. It leads to the review of a plan; nothing is written
 * before.
 */
export function createNewChange(clock: Pick<Clock, 'now'>): Page {
  return {
    path: '/changes/new',
    max_files: MOST_PHOTOS,
    async get(visit) {
      const { query } = visit.request;
      const chosen = query.get('do');
      const selection = readSelection(query, clock.now());
      if (!selection) return <NoneTicked visit={visit} query={query} />;
      const scope = await readScope(visit, selection, clock.now());
      if (!isKind(chosen)) return <SheetForm visit={visit} scope={scope} />;
      return <New visit={visit} kind={chosen} scope={scope} given={query} />;
    },
    async post(visit) {
      const { fields } = visit.form;
      const chosen = fields.get('do');
      const selection = readSelection(fields, clock.now());
      if (!selection || !isKind(chosen)) return <NoneTicked visit={visit} query={fields} />;
      const scope = await readScope(visit, selection, clock.now());
      const form = listForms(chosen, scope).find(({ op }) => op === fields.get('op'));
      if (!form) return <New visit={visit} kind={chosen} scope={scope} given={fields} />;
      const props = { visit, kind: chosen, scope, given: fields };
      const ticked = listTicked(scope, fields);
      const isNowhere = ticked.length === 0 && scope.shops.length > 0 && !form.is_of_all_shops;
      const wrong = listWrongNumbers(form.fields, fields);
      if (isNowhere || wrong.length > 0) {
        return show(<New {...props} isNowhere={isNowhere} wrong={wrong} />, { status: 400 });
      }
      const { select, shops } = scope;
      // Without shops, the operation uses those that have each listing.
      const only =
        form.is_of_all_shops || ticked.length === shops.length
          ? {}
          : { shops: ticked.map(({ shop_id }) => shop_id) };
      const planned = await uploadPhotos(visit)
        .then((urls) => {
          const input = { select, edits: form.read(fields, urls), ...only };
          return visit.operations.call('batch_create', input, PATIENCE);
        })
        .catch(toRefusal);
      if (!(planned instanceof RefusedError)) return redirect(toBatchPath(planned.batch_id));
      return show(<New {...props} refused={planned.error} />, { status: planned.error.status });
    },
  };
}

/** Uploads the photos of the form, in their order. Throws RefusedError. */
async function uploadPhotos({ operations, form }: OwnPost): Promise<string[]> {
  const [unfit] = form.refused;
  if (unfit) throw unfit.error;
  const urls: string[] = [];
  for (const file of form.files) {
    const { url } = await operations.call('file_upload', { type: 'image' }, { file });
    if (url !== undefined) urls.push(url);
  }
  return urls;
}

function listForms(kind: KindName, scope: Scope): EditForm[] {
  return KINDS[kind].listForms(scope);
}

type Props = {
  visit: Framing;
  kind: KindName;
  scope: Scope;
  /** The fields as submitted. */
  given: URLSearchParams;
  refused?: Refused;
  /** Whether no shop is selected. */
  isNowhere?: boolean;
  /** Found before the operation was called. */
  wrong?: readonly FieldProblem[];
};

function New({ visit, kind, scope, given, refused, isNowhere = false, wrong = [] }: Props) {
  const { title } = KINDS[kind];
  const forms = listForms(kind, scope);
  const problems = [
    ...(isNowhere ? ['Select at least one shop.'] : []),
    ...wrong.map(({ field, words }) => `${field.label}: ${words}`),
  ];
  return (
    <Dashboard visit={visit} title={title} section="Listings" width="narrow">
      <div class="stack tight">
        <p class="crumbs">
          <a href={buildListingsHref(scope.query)}>Listings</a>
        </p>
        <h1>{title}</h1>
        <p class="note">
          {formatCount(scope.count, 'listing')} selected. You review every change before anything is saved to
          Etsy.
        </p>
      </div>
      {refused && <Refusal error={refused} />}
      <Problems lines={problems} />
      {forms.length === 0 && (
        <Notice tone="wait">
          <p>
            {kind !== 'copy'
              ? 'The shops of these listings have no sections or profiles.'
              : scope.connected.length === 0
                ? 'No shop is connected.'
                : 'All connected shops already have these listings.'}
          </p>
        </Notice>
      )}
      {forms.map((form) => (
        <FormCard
          key={form.op}
          {...{ visit, kind, scope, form }}
          {...(given.get('op') === form.op && { given, wrong })}
        />
      ))}
    </Dashboard>
  );
}

type CardProps = Pick<Props, 'visit' | 'kind' | 'scope'> & {
  form: EditForm;
  given?: URLSearchParams;
  wrong?: readonly FieldProblem[];
};

function FormCard({ visit, kind, scope, form, given, wrong = [] }: CardProps) {
  const { op, title, note, fields } = form;
  const hasPhotos = fields.some(({ type }) => type === 'photos');
  return (
    <form
      class="card"
      method="post"
      action={`${PATH}/new`}
      encType={hasPhotos ? 'multipart/form-data' : undefined}
    >
      <FormToken visit={visit} />
      <input type="hidden" name="do" value={kind} />
      <input type="hidden" name="op" value={op} />
      <Selected scope={scope} />
      <h2>{title}</h2>
      {note !== undefined && <p class="note">{note}</p>}
      {fields.map((field) => (
        <Field
          key={field.name}
          id={`${op}-${field.name}`}
          field={field}
          value={given?.get(field.name)}
          problem={wrong.find((one) => one.field.name === field.name)?.words}
        />
      ))}
      {!form.is_of_all_shops && <InShops scope={scope} given={given} />}
      <div>
        <button type="submit">
          Review<span class="visually-hidden"> {title}</span>
        </button>
      </div>
    </form>
  );
}

/** If there are several shops, those in which to make the change; initially the one in the list's filter. */
function InShops({ scope: { shops, query }, given }: Pick<CardProps, 'scope' | 'given'>) {
  if (shops.length < 2) return null;
  const ticked = given?.getAll('in') ?? (query.shop_id === undefined ? undefined : [`${query.shop_id}`]);
  return (
    <fieldset>
      <legend>In these shops</legend>
      <div class="row">
        {shops.map(({ shop_id, details }) => (
          <label class="choice" key={shop_id}>
            <input
              type="checkbox"
              name="in"
              value={shop_id}
              checked={ticked?.includes(`${shop_id}`) ?? true}
            />
            <Foreign text={details.shop_name} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function NoneTicked({
  visit,
  query,
}: {
  visit: Framing & Pick<OwnVisit, 'request'>;
  query: URLSearchParams;
}) {
  const back = buildListingsHref({ keywords: query.get('q') ?? undefined });
  return (
    <Dashboard visit={visit} title="No listings selected" section="Listings" width="narrow">
      <h1>No listings selected</h1>
      <Notice tone="wait">
        <p>Select the listings you want to change, or select all of them.</p>
      </Notice>
      <p>
        <a class="button quiet" href={back}>
          Back to the listings
        </a>
      </p>
    </Dashboard>
  );
}
