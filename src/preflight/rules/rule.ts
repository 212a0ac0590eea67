import { alternatives, quote } from "../finding.ts";
import type { EffectiveConfig } from "../effective-config.ts";
import { durationAt, numberAt, textAt } from "../effective-config.ts";

/** A condition under which kubelet refuses its configuration and ends. */
export type Rule = {
  /** Minors of 1.x, both inclusive; 20 stands for "always so far". */
  readonly since: number;
  readonly until?: number;
  /** The fields of which one has to be changed, the likelier first. */
  readonly fields: readonly string[];
  /** What is wrong, as a sentence; undefined if nothing is, or if this agent cannot know. */
  readonly complaint: (config: EffectiveConfig) => string | undefined;
};

/** A number must lie within bounds, both inclusive; without `most` there is no upper one. */
export function numberRule(field: string, least: number, most?: number, since = 20): Rule {
  return {
    since,
    fields: [field],
    complaint: (config) => {
      const value = numberAt(config, field);
      if (value === undefined || (value >= least && (most === undefined || value <= most))) return undefined;
      return `Cannot use ${value} as ${field}: kubelet accepts ${most === undefined ? `${least} or more` : `${least} to ${most}`}`;
    },
  };
}

/** A text must be one of a few words. */
export function choiceRule(field: string, words: readonly string[], since = 20, until?: number): Rule {
  return {
    since,
    ...(until === undefined ? {} : { until }),
    fields: [field],
    complaint: (config) => {
      const value = textAt(config, field);
      if (value === undefined || words.includes(value)) return undefined;
      return `Cannot use ${quote(value)} as ${field}: kubelet accepts ${alternatives(words.map(quote))}`;
    },
  };
}

/** A duration in nanoseconds must satisfy `accepts`; `expected` ends the sentence. */
export function durationRule(field: string, expected: string, accepts: (nanoseconds: bigint) => boolean, since = 20, until?: number): Rule {
  return {
    since,
    ...(until === undefined ? {} : { until }),
    fields: [field],
    complaint: (config) => {
      const value = durationAt(config, field);
      if (value === undefined || accepts(value)) return undefined;
      return `Cannot use ${quote(textAt(config, field))} as ${field}: kubelet accepts ${expected}`;
    },
  };
}
