import { describe, inject, test, type TestAPI } from "vitest";

/** Tests that need beds: where none can be made they are skipped, and their title says why. */
export function describeBeds(title: string, define: (test: TestAPI) => void): void {
  const reason = inject("whyNoBeds");
  describe.skipIf(reason !== undefined)(reason === undefined ? title : `${title}: not tried, since ${reason}`, () => define(test));
}
