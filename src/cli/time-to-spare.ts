import type { Gatherer } from "../gather/gatherer.ts";
import type { Question } from "../resolve/facts.ts";

/** Watches for the moment from which on there is nothing to do but to wait for AWS, or for what needs that moment itself. */
export type TimeToSpare = {
  /** Tells of each question that is asked. */
  readonly watching: (gatherer: Pick<Gatherer, "ask">) => Pick<Gatherer, "ask">;
  /** How many requests of AWS's APIs there will be, as far as can be seen; said again when it is seen better. */
  readonly expect: (requests: number) => void;
  /** One of them is under way. */
  readonly onAwsAsked: () => void;
};

/** @param reached called once or more often: when as many requests as were expected are under way, and when nothing but the host is left to ask */
export function watchForTimeToSpare(reached: () => void): TimeToSpare {
  let [asked, expected, pending] = [0, Infinity, 0];
  const look = (): void => {
    // Before the configuration is read nobody has asked for all that is needed.
    const isRead = expected !== Infinity;
    if (isRead && (asked >= expected || pending === 0)) reached();
  };
  return {
    watching: ({ ask }) => ({
      ask: async (question: Question, ...rest) => {
        if (question.kind === "host") return ask(question, ...rest);
        pending += 1;
        try {
          return await ask(question, ...rest);
        } finally {
          pending -= 1;
          // What this answer makes needed is asked first.
          setImmediate(look);
        }
      },
    }),
    expect: (requests) => {
      expected = requests;
      // Not by what is pending: what is about to be asked is not yet.
      if (asked >= expected) reached();
    },
    onAwsAsked: () => {
      asked += 1;
      // By then it has gone out, if its connection was open.
      setImmediate(look);
    },
  };
}
