/** SHA-256, and with a secret its HMAC, as the SDK's signer asks for them. A signature hashes a kilobyte or two, and Node.js's own takes 6 ms to load. */
export { Sha256 } from "@aws-crypto/sha256-js";
