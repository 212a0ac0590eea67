import { expect, test } from "vitest";
import { directHttp } from "../../src/io/http.ts";
import { whatArrived } from "../../src/io/when-sent.ts";
import { startSimulator } from "../simulator/simulator.ts";

test("a request over a connection that was idle has gone out when what arrived has been looked at", async () => {
  const { environment, close } = await startSimulator({ faults: [{ on: "/latest/b", kind: "hang" }] });
  const http = directHttp();
  const ask = (path: string, onSent?: () => void) => http.request({ method: "GET", url: `${environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"] ?? ""}/latest/${path}`, timeoutMs: 5_000, onSent });
  let isSent = false;
  try {
    await ask("a");
    ask("b", () => (isSent = true)).catch(() => undefined);
    expect(isSent).toBe(false);
    await whatArrived();
    expect(isSent).toBe(true);
  } finally {
    await http.close();
    await close();
  }
});
