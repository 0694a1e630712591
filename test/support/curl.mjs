#!/usr/bin/env node
/** The options of curl that the guides use, for machines without it: -sS, -H, -d (also @-), -o. */
import { readFileSync, writeFileSync } from 'node:fs';

const headers = {};
let body;
let file;
let url;
const given = process.argv.slice(2);
while (given.length > 0) {
  const option = given.shift();
  if (option === '-H') {
    const [name, ...value] = given.shift().split(': ');
    headers[name] = value.join(': ');
  } else if (option === '-d') {
    const data = given.shift();
    body = data === '@-' ? readFileSync(0, 'utf8') : data;
  } else if (option === '-o') file = given.shift();
  else if (!option.startsWith('-')) url = option;
}
const answer = await fetch(url, { method: body === undefined ? 'GET' : 'POST', headers, body });
const bytes = Buffer.from(await answer.arrayBuffer());
if (file === undefined) process.stdout.write(bytes);
else writeFileSync(file, bytes);
