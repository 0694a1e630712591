/** A change is accepted or not for what it is, never for what was drawn: `npm run explore` draws anew. */
globalThis.lawSeed = 20261122;
