// Stands in for WebAssembly.Module, which undici makes one of: its parser of HTTP. V8 compiles a function when it is first called, and that is when the first answer
// is there. The parser is made when the first request goes out, so that there is time to have it read an answer before.
export { ParserModule as "WebAssembly.Module" };

const ANSWER = "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 1\r\n\r\n.";
const CALLBACKS = ["url", "status", "message_begin", "header_field", "header_value", "headers_complete", "body", "message_complete"];
const RESPONSE = 2;

function ParserModule(bytes) {
  const module = new globalThis.WebAssembly.Module(bytes);
  setImmediate(practise, module);
  return module;
}

function practise(module) {
  try {
    const env = Object.fromEntries(CALLBACKS.map((name) => [`wasm_on_${name}`, () => 0]));
    const { llhttp_alloc, llhttp_execute, malloc, memory } = new WebAssembly.Instance(module, { env }).exports;
    const [parser, at] = [llhttp_alloc(RESPONSE), malloc(ANSWER.length)];
    new Uint8Array(memory.buffer, at).set(Buffer.from(ANSWER));
    llhttp_execute(parser, at, ANSWER.length);
  } catch {
    // What another parser cannot do need not be done.
  }
}
