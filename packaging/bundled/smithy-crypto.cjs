// Stands in for Node.js's crypto in the SDK's module of all its encodings, which hands it to what smithy-uuid.mjs stands in for.
"use strict";
exports.getRandomValues = (array) => require("node:crypto").getRandomValues(array);
