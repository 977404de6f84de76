/** A seller's task, in words to give to an assistant: an opening of its own, followed by the text of a skill. */
export type Prompt = {
  name: string;
  title: string;
  description: string;
  /** The folder in src/skills. */
  skill: string;
  /** The operations that it cannot do without; those of the skill when left out. */
  needs?: readonly string[];
  arguments: readonly PromptArgument[];
  /** @param given the arguments that the client sent; required ones are present */
  open(given: Readonly<Record<string, string>>): string;
};

type PromptArgument = {
  name: string;
  description: string;
  required: boolean;
  /** The kind of thing that its value names, for completion. `shops`: several, separated by commas. */
  completes?: 'shops' | 'category';
};
