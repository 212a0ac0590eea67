// Stands in for undici's constants of its parser, with those that it uses: the others are tables of characters and methods, which take a millisecond to make.
"use strict";
exports.TYPE = { RESPONSE: 2 };
exports.ERROR = { OK: 0, PAUSED: 21, PAUSED_UPGRADE: 22 };
