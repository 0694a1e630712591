// Specs are TypeScript, and an error's lines are those of the source.
import '../ts-loader.mjs';

process.setSourceMapsEnabled(true);
