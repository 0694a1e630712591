/** For the jest project `eventstore`. */
globalThis.eventLog = 'node';
