import type { Facts, Question } from "../resolve/facts.ts";
import type { Gatherer } from "./gatherer.ts";

/**
 * Asks until `questionsFor` wants nothing new. It is called again with every answer, and what it then adds is asked at once:
 * nothing waits for an answer that it does not need.
 *
 * @param onAnswer told after each answer what is known, and what is still to be answered
 * @throws the first failure, after which the rest is not waited for and is told to end
 */
export async function gatherFacts(
  questionsFor: (facts: Facts) => readonly Question[],
  gatherer: Pick<Gatherer, "ask">,
  onAnswer: (facts: Facts, pending: readonly Question[]) => void = () => undefined,
): Promise<Facts> {
  const rest = new AbortController();
  const asked = new Set<string>();
  const pending = new Set<Question>();
  let facts: Facts = {};

  const askWhatIsNew = async (): Promise<void> => {
    const fresh = questionsFor(facts).filter((question) => !asked.has(JSON.stringify(question)));
    for (const question of fresh) {
      asked.add(JSON.stringify(question));
      pending.add(question);
    }
    onAnswer(facts, [...pending]);
    await Promise.all(fresh.map(askOne));
  };
  const askOne = async (question: Question): Promise<void> => {
    const answer = await gatherer.ask(question, facts, rest.signal);
    facts = mergeFacts(facts, answer);
    pending.delete(question);
    await askWhatIsNew();
  };

  try {
    await askWhatIsNew();
  } catch (error) {
    rest.abort(error);
    throw error;
  }
  return facts;
}

function mergeFacts(known: Facts, more: Facts): Facts {
  const resolves = { ...known.resolves, ...more.resolves };
  return { ...known, ...more, ...(Object.keys(resolves).length === 0 ? {} : { resolves }) };
}
