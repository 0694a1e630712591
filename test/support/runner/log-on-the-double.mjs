/** For the jest project `long`. */
globalThis.eventLog = 'eventstoredb';
