import type { Facts } from "../resolve/facts.ts";
import { noteList } from "../resolve/notes.ts";
import { prepare, type Preparation, type Prepared } from "./prepare.ts";

/** What was seen of the machine longer ago is looked at again. */
const FRESH_MS = 3000;

/**
 * Prepares by the facts that are expected while the last of them is on its way, since that one hardly ever is another; where it is,
 * or comes late, all over again.
 *
 * @throws AgentError when the facts cannot be had, or there can be no plan
 */
export async function prepareAhead(preparation: Preparation): Promise<Prepared> {
  const { facts, expected } = preparation.facts;
  const foreseen = await Promise.race([expected, facts.then(() => undefined)]);
  if (foreseen === undefined) return prepare(await facts, preparation);
  const ahead = begin(foreseen, preparation);
  try {
    const certain = await facts;
    if (!isSame(certain, foreseen) || performance.now() - ahead.startMs > FRESH_MS) return await prepare(certain, preparation);
    return await ahead.adopt();
  } finally {
    await ahead.abandon();
  }
}

/** In whatever order they came. */
function isSame(certain: Facts, foreseen: Facts): boolean {
  const areAsMany = Object.keys(certain).length === Object.keys(foreseen).length;
  return areAsMany && JSON.stringify(certain) === JSON.stringify({ ...certain, ...foreseen });
}

type Ahead = {
  readonly startMs: number;
  /** What was prepared, or why it could not be. */
  readonly adopt: () => Promise<Prepared>;
  /** Ends what is still under way. */
  readonly abandon: () => Promise<void>;
};

/** Nobody hears of it unless it is adopted. */
function begin(foreseen: Facts, preparation: Preparation): Ahead {
  const { world, addNote } = preparation;
  const given = new AbortController();
  const { notes, add } = noteList();
  const prepared = prepare(foreseen, { ...preparation, addNote: add, world: { ...world, signal: AbortSignal.any([world.signal, given.signal]) } });
  prepared.catch(() => undefined);
  return {
    startMs: performance.now(),
    adopt: async () => {
      const [outcome] = await Promise.allSettled([prepared]);
      for (const { code, message } of notes) addNote(code, message);
      if (outcome.status === "rejected") throw outcome.reason;
      return outcome.value;
    },
    abandon: async () => {
      given.abort();
      await Promise.allSettled([prepared]);
    },
  };
}
