// Stands in for the kinds of body that undici shares with fetch(), which the agent never sends, and for what they are made of.
"use strict";
exports.extractBody = () => {
  throw new Error("bodies are strings and bytes");
};
exports.webidl = { is: { FormData: () => false } };
