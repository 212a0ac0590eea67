import type { Question } from "../resolve/facts.ts";
import type { Gatherer } from "./gatherer.ts";

export type AskingAhead = Pick<Gatherer, "ask"> & {
  /** Asks a question, which no other fact matters to, before it is known whether anyone needs the answer. */
  readonly askAhead: (question: Question) => void;
};

/** Who asks what was asked ahead gets that answer, or that failure. */
export function askingAhead({ ask }: Pick<Gatherer, "ask">): AskingAhead {
  const ahead = new Map<string, ReturnType<Gatherer["ask"]>>();
  return {
    ask: (question, facts, signal) => ahead.get(JSON.stringify(question)) ?? ask(question, facts, signal),
    askAhead: (question) => {
      const answer = ask(question, {});
      // A failure is told to whoever needs the answer.
      answer.catch(() => undefined);
      ahead.set(JSON.stringify(question), answer);
    },
  };
}
