import { expectRefused } from '../harness/manual.mjs';
import { change, expectIssue, expectShelf, pks, plan, stock, carryOut } from '../harness/shelf.mjs';

/* Texts of many listings: tags, materials, titles and descriptions. */

const tags = (...words) => ({ tags: words });

const addToGifts = (value) => ({
  select: { filter: { tag: 'gift' } },
  edits: [{ field: 'tags', op: 'add', value }],
});
const madeOf = (...materials) => ({ materials });
const described = (description) => ({ description });

export default [
  {
    name: 'batch: a tag for the holidays on everything that is a gift',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: tags('gift', 'bowl'), mug: tags('mug') });
      const words = ['edits[0].value', 'a list'];
      await expectRefused(
        assistant,
        'batch_create',
        addToGifts('holiday, bowl'),
        'VALIDATION_FAILED',
        ...words,
      );
      await change(assistant, addToGifts(['holiday', 'bowl']), { changed: 1 });
      await expectShelf(world, made, { bowl: tags('gift', 'bowl', 'holiday'), mug: tags('mug') });
    },
  },
  {
    name: 'batch: one tag too many for some of them',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const full = Array.from({ length: 13 }, (_, index) => `word ${index}`);
      const made = await stock({ assistant, world }, { bowl: tags(...full), mug: tags('mug') });
      const edits = [{ field: 'tags', op: 'add', value: ['holiday'] }];
      const planned = await plan(
        assistant,
        { select: pks(made.bowl, made.mug), edits },
        { changed: 1, refused: 1 },
      );
      expectIssue(planned, 'list_too_long', ['14 tags', '13'], made.bowl);
      await carryOut(assistant, planned, { ok: 1 });
      const select = { batch_id: planned.batch_id, item_status: 'refused' };
      const room = [{ field: 'tags', op: 'remove', value: ['word 12'] }, ...edits];
      await change(assistant, { select, edits: room }, { items: 1, changed: 1 });
      await expectShelf(world, made, {
        bowl: tags(...full.slice(0, 12), 'holiday'),
        mug: tags('mug', 'holiday'),
      });
    },
  },
  {
    name: 'batch: clay is called stoneware from now on, and a style that stays',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: madeOf('clay', 'glaze'), board: madeOf('oak') });
      const select = pks(made.bowl, made.board);
      const clay = { field: 'materials', op: 'replace', find: 'clay', with: 'stoneware' };
      await change(assistant, { select, edits: [clay] }, { changed: 1, unchanged: 1 });
      const style = { field: 'styles', op: 'set', value: ['Minimalist'] };
      const planned = await plan(assistant, { select, edits: [style] }, { changed: 0, unchanged: 2 });
      expectIssue(planned, 'not_changeable', ['styles', 'Shop Manager'], made.bowl);
      await expectShelf(world, made, { bowl: madeOf('stoneware', 'glaze'), board: madeOf('oak') });
    },
  },
  {
    name: 'batch: a note before each description, and one after it',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const made = await stock(
        { assistant, world },
        { bowl: described('A bowl.'), mug: described('A mug & more.') },
      );
      const edits = [
        { field: 'description', op: 'prepend', value: 'Closed until May 5.\n\n' },
        { field: 'description', op: 'append', value: '\n\nFree of lead.' },
      ];
      const { batch_id } = await change(
        assistant,
        { select: pks(made.bowl, made.mug), edits },
        { changed: 2 },
      );
      await expectShelf(world, made, {
        bowl: described('Closed until May 5.\n\nA bowl.\n\nFree of lead.'),
        mug: described('Closed until May 5.\n\nA mug & more.\n\nFree of lead.'),
      });
      // On May 5 the note is removed by its own text, and other changes stay.
      const gone = { field: 'description', op: 'replace', find: 'Closed until May 5.\n\n', with: '' };
      const again = { select: { batch_id, item_status: 'ok' }, edits: [gone] };
      await change(assistant, again, { changed: 2 });
      await expectShelf(world, made, { bowl: described('A bowl.\n\nFree of lead.') });
    },
  },
  {
    name: 'batch: a word in the titles, and one title would be too long',
    intent: { live: 2, saved: 2 },
    async run({ assistant, world }) {
      const long = `Grey bowl, ${'wide '.repeat(25)}rim`;
      const made = await stock({ assistant, world }, { bowl: { title: long }, mug: { title: 'Grey mug' } });
      const select = { filter: { keywords: 'grey' } };
      const edits = [{ field: 'title', op: 'replace', find: 'Grey', with: 'Charcoal' }];
      const planned = await plan(assistant, { select, edits }, { changed: 1, refused: 1 });
      expectIssue(planned, 'text_too_long', ['title', '140'], made.bowl);
      await carryOut(assistant, planned, { ok: 1 });
      const rest = { batch_id: planned.batch_id, item_status: 'refused' };
      const title = 'Charcoal bowl, wide rim';
      await change(
        assistant,
        { select: rest, edits: [{ field: 'title', op: 'set', value: title }] },
        { changed: 1 },
      );
      await expectShelf(world, made, { bowl: { title }, mug: { title: 'Charcoal mug' } });
    },
  },
  {
    name: 'batch: a field and an op under invented names',
    intent: { live: 1, saved: 1 },
    async run({ assistant, world }) {
      const made = await stock({ assistant, world }, { bowl: tags('bowl') });
      const input = (edit) => ({ select: pks(made.bowl), edits: [edit] });
      const refuse = (edit, ...words) =>
        expectRefused(assistant, 'batch_create', input(edit), 'VALIDATION_FAILED', ...words);
      await refuse({ field: 'listing.tags', op: 'add', value: ['gift'] }, 'edits[0].field', ' tags,');
      await refuse({ field: 'tags', op: 'append', value: ['gift'] }, 'edits[0].op', 'add, remove');
      await refuse({ field: 'tags', op: 'add', tags: ['gift'] }, 'edits[0].tags', 'value');
      await refuse({ field: 'tags', op: 'replace', value: ['gift'] }, 'edits[0].find', 'edits[0].with');
      await change(assistant, input({ field: 'tags', op: 'add', value: ['gift'] }), { changed: 1 });
      await expectShelf(world, made, { bowl: tags('bowl', 'gift') });
    },
  },
];
