// Stands in for Node.js's own HTTP where undici asks for it: for a default, and for a kind of body that the agent never sends.
"use strict";
exports.maxHeaderSize = 16384;
exports.IncomingMessage = class IncomingMessage {};
