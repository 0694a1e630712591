/** For the jest project `specs`: the projects `unit` and `laws` try more. */
globalThis.lawTimes = 0.5;
