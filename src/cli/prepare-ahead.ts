import type { Staged } from "../apply/stage.ts";
import type { Facts } from "../resolve/facts.ts";
import { noteList } from "../resolve/notes.ts";
import { prepare, type Preparation, type Prepared } from "./prepare.ts";

/** What was seen of the machine longer ago is looked at again. */
const FRESH_MS = 3000;

/** What is prepared, and what of it is ready to be put in place. */
export type Ready = { readonly prepared: Prepared; readonly staged: Staged | undefined };

/**
 * Prepares by the facts that are expected while the last of them is on its way, since that one hardly ever is another; where it is,
 * or comes late, all over again.
 *
 * @param stage begins what can be taken back; its failure is not told, since who does the same again fails again
 * @throws AgentError when the facts cannot be had, or there can be no plan
 */
export async function prepareAhead(preparation: Preparation, stage: (prepared: Prepared) => Promise<Staged | undefined>): Promise<Ready> {
  const { facts, expected } = preparation.facts;
  const foreseen = await Promise.race([expected, facts.then(() => undefined)]);
  const prepareNow = async (certain: Facts): Promise<Ready> => ({ prepared: await prepare(certain, preparation), staged: undefined });
  if (foreseen === undefined) return prepareNow(await facts);
  const ahead = begin(foreseen, preparation, stage);
  try {
    const certain = await facts;
    if (!isSame(certain, foreseen) || performance.now() - ahead.startMs > FRESH_MS) return await prepareNow(certain);
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
  readonly adopt: () => Promise<Ready>;
  /** Ends what is still under way, and takes back what nobody adopted. */
  readonly abandon: () => Promise<void>;
};

/** Nobody hears of it unless it is adopted. */
function begin(foreseen: Facts, preparation: Preparation, stage: (prepared: Prepared) => Promise<Staged | undefined>): Ahead {
  const { world, addNote } = preparation;
  const given = new AbortController();
  const { notes, add } = noteList();
  const prepared = prepare(foreseen, { ...preparation, addNote: add, world: { ...world, signal: AbortSignal.any([world.signal, given.signal]) } });
  let staged = prepared.then(stage).catch(() => undefined);
  return {
    startMs: performance.now(),
    adopt: async () => {
      const [outcome] = await Promise.allSettled([prepared]);
      for (const { code, message } of notes) addNote(code, message);
      if (outcome.status === "rejected") throw outcome.reason;
      const ready = { prepared: outcome.value, staged: await staged };
      staged = Promise.resolve(undefined);
      return ready;
    },
    abandon: async () => {
      given.abort();
      await (await staged)?.discard();
    },
  };
}
