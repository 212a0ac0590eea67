import { createHash, createHmac, type Hash, type Hmac } from "node:crypto";

type Data = string | ArrayBuffer | ArrayBufferView;

/** SHA-256, and with a secret its HMAC, as the SDK's signer asks for them. OpenSSL's is there anyway; the SDK's own is a program in JavaScript. */
export class Sha256 {
  readonly #secret: Data | undefined;
  #state: Hash | Hmac;

  constructor(secret?: Data) {
    this.#secret = secret;
    this.#state = fresh(secret);
  }

  update(data: Data): void {
    this.#state.update(bytesOf(data));
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(new Uint8Array(this.#state.digest()));
  }

  reset(): void {
    this.#state = fresh(this.#secret);
  }
}

function fresh(secret: Data | undefined): Hash | Hmac {
  return secret === undefined ? createHash("sha256") : createHmac("sha256", bytesOf(secret));
}

function bytesOf(data: Data): string | Uint8Array {
  if (typeof data === "string") return data;
  return ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);
}
