// Stands in for the SDK's modules of all that its packages have in common, for the signer: with them come protocols and codecs, which only a client of the SDK has a
// use for, 100 KB.
export { escapeUri } from "../../node_modules/@smithy/core/dist-es/submodules/protocols/util-uri-escape/escape-uri.js";
export { isArrayBuffer } from "../../node_modules/@smithy/core/dist-es/submodules/serde/is-array-buffer/is-array-buffer.js";
export { fromHex, toHex } from "../../node_modules/@smithy/core/dist-es/submodules/serde/util-hex-encoding/hex-encoding.js";
export { fromUtf8 } from "../../node_modules/@smithy/core/dist-es/submodules/serde/util-utf8/fromUtf8.js";
export { toUint8Array } from "../../node_modules/@smithy/core/dist-es/submodules/serde/util-utf8/toUint8Array.js";
export { writeKey } from "../../node_modules/@smithy/core/dist-es/submodules/serde/writeKey.js";
export { hasOwn } from "../../node_modules/@smithy/core/dist-es/submodules/transport/hasOwn.js";
export { HttpRequest } from "../../node_modules/@smithy/core/dist-es/submodules/transport/httpRequest.js";
export { HttpResponse } from "../../node_modules/@smithy/core/dist-es/submodules/transport/httpResponse.js";
export { normalizeProvider } from "../../node_modules/@smithy/core/dist-es/submodules/transport/normalizeProvider.js";
