import { proxiedHttp } from "../io/http.ts";
import type { HttpRequest, HttpResponse } from "../io/exchange.ts";
import type { Http, Trusted } from "../io/http.ts";
import { readTrust } from "../io/tls-trust.ts";
import { chooseVariant } from "./aws-endpoint.ts";
import { createCredentials } from "./credentials.ts";
import type { CredentialSource } from "./credentials.ts";
import { isFipsOn } from "./host-kernel.ts";
import type { Imds } from "./imds.ts";
import { gatherResolves } from "./resolves.ts";
import type { AwsService, EndpointVariant, GatherSettings } from "./settings.ts";

/** Of GatherSettings, what has nothing to do with the image. */
export type AwsSettings = Omit<GatherSettings, "root" | "host"> & Partial<Pick<GatherSettings, "root">>;

/** What the calls of AWS's APIs share. */
export type AwsContext = AwsSettings & {
  readonly http: Http;
  readonly credentials: CredentialSource;
  readonly signal?: AbortSignal | undefined;
  /** Makes a request by `http`, and compares the clocks by its answer. */
  readonly requestAndNoteTime: (request: HttpRequest) => Promise<HttpResponse>;
  /** Milliseconds by which AWS's clock is ahead, 0 unless that is much: just after a boot NTP may not have answered. */
  readonly clockOffset: () => number;
  /** Which of its endpoints a service is asked at; looked into once. */
  readonly variantOf: (service: AwsService, region: string, dnsSuffix?: string) => Promise<EndpointVariant>;
};

/** From here on signatures of another time are refused; AWS allows five minutes. */
const MUCH_MS = 4 * 60_000;

export function createAws(imds: Imds, settings: AwsSettings, signal: AbortSignal): AwsContext {
  const http = proxiedHttp(settings.environment, () => trusted(settings));
  const credentials = createCredentials(imds, { ...settings, signal });
  let offsetMs = 0;
  const requestAndNoteTime = async (request: HttpRequest): Promise<HttpResponse> => {
    const answer = await http.request({ ...request, onSent: settings.onAwsAsked });
    const ahead = Date.parse(answer.headers["date"] ?? "") - Date.now();
    if (!Number.isNaN(ahead)) offsetMs = Math.abs(ahead) > MUCH_MS ? ahead : 0;
    return answer;
  };
  return { ...settings, http, credentials, signal, requestAndNoteTime, clockOffset: () => offsetMs, variantOf: variantsOf(settings, signal) };
}

function variantsOf(settings: AwsSettings, signal: AbortSignal): AwsContext["variantOf"] {
  const context = { ...settings, isFipsOn: () => isFipsOn(settings.root ?? ""), resolves: (host: string) => gatherResolves(host, signal) };
  const chosen = new Map<AwsService, Promise<EndpointVariant>>();
  return (service, region, dnsSuffix) => {
    const variant = chosen.get(service) ?? chooseVariant(service, region, dnsSuffix, context);
    chosen.set(service, variant);
    return variant;
  };
}

async function trusted({ environment, caBundles, onEvent }: AwsSettings): Promise<Trusted> {
  const { certificates, likely, notes } = await readTrust(environment, caBundles);
  for (const message of notes) onEvent({ kind: "note", code: "tls-built-in-roots", message });
  return { all: certificates, likely };
}
