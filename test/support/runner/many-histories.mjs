/** For the jest project `laws`. */
globalThis.lawTimes = 3;
