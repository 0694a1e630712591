# Written from the API document by `npm run generate:clients`. Changes here are lost.
