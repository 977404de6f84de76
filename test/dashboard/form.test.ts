import { expect, it } from 'vitest';
import { readForm } from './form.js';
import type { Visitor } from './visitor.js';

/** As Preact writes it: ">" is not escaped. */
const PAGE = `<form method="post" enctype="multipart/form-data">
  <input name="title" value='> checked type="file"&amp;lt;'>
  <textarea name="description">

&lt;b> "5 > 4"
</textarea>
  <select name="option"><option value="a>b">A</option><option value="b>&#39;&quot;" selected>B</option></select>
  <input type="checkbox" name="box" value="> checked"><input type="radio" name="way" value="on" checked>
</form><form method="post"><input name="other" value="1"></form>`;

it('reads every value of a form as a browser does, whatever characters it has', async () => {
  const sent: [string, unknown][] = [];
  const visitor = {
    postForm: async (_path: string, body: FormData) => void sent.push(...body.entries()),
  } as unknown as Visitor;
  await readForm(visitor, { text: PAGE }).leaveOut('file').send('/');
  expect(sent.filter(([name]) => name !== 'file')).toEqual([
    ['title', '> checked type="file"&lt;'],
    ['description', '\r\n<b> "5 > 4"\r\n'],
    ['option', `b>'"`],
    ['way', 'on'],
  ]);
});
