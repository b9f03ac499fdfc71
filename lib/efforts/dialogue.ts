// AskUserQuestion as an entry of the message log: what was asked, what was offered, what the person chose.

export interface Dialogue {
  preamble: string;
  questions: { question: string; options: string[]; answer: string | null }[];
}

export const LONGEST_PREAMBLE = 2_000;

type Table = Record<string, unknown>;
const tableOf = (value: unknown): Table =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Table) : {};
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);

export function dialogueOf(input: Table, response: unknown, preamble: string | undefined): Dialogue {
  const answers = { ...tableOf(input["answers"]), ...tableOf(tableOf(response)["answers"]) };
  return {
    preamble: (preamble ?? "").slice(-LONGEST_PREAMBLE),
    questions: listOf(input["questions"]).map((one) => {
      const { question, options } = tableOf(one);
      const asked = textOf(question) ?? "";
      const answer = answers[asked];
      return {
        question: asked,
        options: listOf(options).map((option) => textOf(tableOf(option)["label"]) ?? ""),
        answer: textOf(answer) ?? (answer === undefined ? null : JSON.stringify(answer)),
      };
    }),
  };
}
