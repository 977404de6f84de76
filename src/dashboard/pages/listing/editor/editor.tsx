import type { ComponentChildren } from 'preact';
import type { Refused } from '../../../../core/ports/index.js';
import { toMakingWords } from '../../../../core/issues/making_words.js';
import { capitalize } from '../../../../core/issues/words.js';
import { listWhenMade, toOpenPeriod } from '../../../../core/listings/rules/when_made.js';
import { MARKETPLACE_FACTS } from '../../../../../schemas/marketplace_facts.js';
import { Foreign } from '../../../../pages/index.js';
import { FormToken } from '../../../components/form_token.js';
import { Notice, Refusal } from '../../../components/notice.js';
import type { Framing } from '../../../page.js';
import { Category } from './category.js';
import { Files, Video } from './files/files.js';
import { Part, SelectField, Step, TextField, type Filled } from './inputs.js';
import { More } from './more/more.js';
import { Photos } from './files/photos.js';
import { placePrices } from './variations/priced_by.js';
import { byField, type Problem } from './problems.js';
import type { Opened } from './receive.js';
import { Offer, Shops } from './shops.js';
import { Variations } from './variations/variations.js';

export type EditorProps = {
  visit: Framing;
  /** The address of the page. */
  action: string;
  opened: Opened;
  problems?: readonly Problem[];
  /** Why an operation refused the form as a whole. */
  refused?: Refused | undefined;
  year: number;
  findPhoto?: (url: string) => string | undefined;
  /** More hidden fields. */
  hidden?: ComponentChildren;
  /**
   * For an existing listing: its shops stay. `isType`: so does its type. `noTable`: why there is no table of
   * combinations.
   */
  fixed?: { shops: readonly number[]; isType: boolean; noTable?: ComponentChildren };
  /**
   * The step that the script sends while the seller works, and whether the returned form has other parts than
   * the submitted one.
   */
  follow?: { step: string; is_other: boolean };
  /** The buttons at the end. */
  children: ComponentChildren;
};

/** The form of a listing, with each problem next to its field. */
export function Editor(props: EditorProps) {
  const {
    visit,
    action,
    opened,
    refused,
    year,
    findPhoto = () => undefined,
    hidden,
    fixed,
    follow,
    children,
  } = props;
  const { values, scope } = opened;
  const problems = placePrices([...opened.problems, ...(props.problems ?? [])], values, scope);
  const form: Filled = { values, problems: byField(problems) };
  return (
    <>
      {refused && <Refusal error={refused} />}
      <Summary problems={problems} />
      <form
        method="post"
        action={action}
        encType="multipart/form-data"
        data-editor
        data-follow={follow?.step}
        data-other={follow?.is_other ? '' : undefined}
      >
        <FormToken visit={visit} />
        {/* The button that Enter presses in a field. */}
        <button
          type="submit"
          id="refresh"
          name="step"
          value="refresh"
          class="visually-hidden"
          tabIndex={-1}
          data-step
        >
          Update this page
        </button>
        {hidden}
        <Photos form={form} action={action} findPhoto={findPhoto} />
        <Video form={form} action={action} />
        <Words form={form} />
        <Category
          form={form}
          action={action}
          category={scope.category}
          found={opened.found}
          path={opened.path}
          chosen_by={opened.chosen_by}
        />
        <About form={form} action={action} year={year} isTypeFixed={fixed?.isType ?? false} />
        {values.get('listing_type') === 'digital' && <Files form={form} action={action} />}
        <Shops form={form} scope={scope} fixed={fixed?.shops ?? []} />
        <Offer form={form} scope={scope} canVary={fixed?.noTable === undefined} />
        {fixed?.noTable ?? <Variations form={form} action={action} scope={scope} />}
        <More form={form} isPublished={fixed?.isType ?? false} />
        <div class="editor-end card">{children}</div>
        <p class="visually-hidden" role="status" data-editor-status />
      </form>
    </>
  );
}

/** All problems, each with a link to its field. */
function Summary({ problems }: { problems: readonly Problem[] }) {
  if (problems.length === 0) return null;
  return (
    <Notice tone="bad">
      <p>
        <strong>
          {problems.length === 1 ? 'One thing to correct:' : `${problems.length} things to correct:`}
        </strong>
      </p>
      <ul>
        {problems.map(({ field, text, label }) => (
          <li key={field + text}>
            {field === '' ? (
              <Foreign text={text} />
            ) : (
              <a href={`#${field}`}>
                <Foreign text={label === undefined ? text : `${label}: ${text}`} />
              </a>
            )}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Words({ form }: { form: Filled }) {
  const { title_max_chars, tags_per_listing, materials_per_listing } = MARKETPLACE_FACTS;
  return (
    <Part id="words-part" title="Title and description">
      <TextField form={form} name="title" label="Title" count={{ of: 'characters', most: title_max_chars }} />
      <TextField form={form} name="description" label="Description" type="lines" />
      <TextField
        form={form}
        name="tags"
        label="Tags"
        note="Separate tags with commas."
        count={{ of: 'words', most: tags_per_listing }}
      />
      <TextField
        form={form}
        name="materials"
        label="Materials"
        note="Separate materials with commas."
        count={{ of: 'words', most: materials_per_listing }}
      />
    </Part>
  );
}

const MAKERS = [
  ['i_did', 'I did'],
  ['collective', 'A member of my shop'],
  ['someone_else', 'Another company or person'],
] as const;

type AboutProps = { form: Filled; action: string; year: number; isTypeFixed: boolean };

function About({ form, action, year, isTypeFixed }: AboutProps) {
  const type = form.values.get('listing_type') === 'digital' ? 'digital' : 'physical';
  return (
    <Part id="about-part" title="About this item">
      {isTypeFixed ? (
        <input type="hidden" name="listing_type" value={type} />
      ) : (
        <fieldset id="listing_type" tabIndex={-1}>
          <legend>Type</legend>
          {(['physical', 'digital'] as const).map((choice) => (
            <label class="choice" key={choice}>
              <input
                type="radio"
                name="listing_type"
                value={choice}
                checked={choice === type}
                data-press="type-use"
              />
              {choice === 'physical' ? 'Physical: you ship it' : 'Digital: buyers download it'}
            </label>
          ))}
          <p>
            <Step step="type" at="about-part" action={action} id="type-use" auto>
              Use this type
            </Step>
          </p>
        </fieldset>
      )}
      <div class="grid">
        <SelectField form={form} name="who_made" label="Who made it?" none="Choose…" choices={MAKERS} />
        <SelectField
          form={form}
          name="is_supply"
          label="What is it?"
          none="Choose…"
          choices={[
            ['no', 'A finished product'],
            ['yes', 'A supply or tool to make things'],
          ]}
        />
        <SelectField
          form={form}
          name="when_made"
          label="When was it made?"
          none="Choose…"
          choices={listWhenMade(year).map((when) => [when, capitalize(toMakingWords(when))])}
        />
      </div>
      {!isTypeFixed && (
        <p class="note">
          If you leave these blank, the listing says: a finished product, made by you,{' '}
          {toMakingWords(type === 'digital' ? toOpenPeriod(year) : 'made_to_order')}.
        </p>
      )}
    </Part>
  );
}
