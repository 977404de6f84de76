/** A seller's task, as a text to give to an assistant: its own opening, followed by the text of a skill. */
export type Prompt = {
  name: string;
  title: string;
  description: string;
  /** The folder in src/skills. */
  skill: string;
  /** The operations that it cannot do without; those of the skill if omitted. */
  needs?: readonly string[];
  arguments: readonly PromptArgument[];
  /** @param given the arguments that the client sent; required ones are present */
  open(given: Readonly<Record<string, string>>): string;
};

type PromptArgument = {
  name: string;
  description: string;
  required: boolean;
  /** The kind of thing that the value names, for completion. `shops`: several, separated by commas. */
  completes?: 'shops' | 'category';
};
