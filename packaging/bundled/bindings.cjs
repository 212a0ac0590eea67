// Stands in for the npm package "bindings", by which sd-notify finds its compiled half: in the executable that is an asset.
"use strict";
module.exports = (name) => require("../../src/io/addon.ts").loadAddon(name);
