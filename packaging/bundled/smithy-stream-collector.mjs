// Stands in for the SDK's way to read a stream to its end, which needs Node.js's streams when it is loaded: the signer has none.
export function streamCollector(stream) {
  return require("../../node_modules/@smithy/core/dist-es/submodules/serde/util-stream/stream-collector.js").streamCollector(stream);
}
