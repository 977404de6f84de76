/** Snapshots of an earlier release, which counted what it had shown as known. `adopted` has those parts as they were last written. */
export const SHOWN_BEFORE: ({ adopted?: object } & Record<string, unknown>)[] = [
  {},
  { listing: { title: 'Ours', tags: [] }, images: [] },
  {
    listing: { title: 'Theirs', shop_section_id: 7, tags: ['theirs'] },
    images: [{ rank: 1 }],
    adopted: { listing: { title: 'Ours "x"', shop_section_id: null, tags: [] }, images: [] },
  },
];

/** As it was last written. */
export function toBaseline({ adopted, ...snapshot }: { adopted?: object }): object {
  return { ...snapshot, ...adopted };
}
