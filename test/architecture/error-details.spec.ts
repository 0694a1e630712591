import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { STATUS_OF } from '../../src/platform/http/problems/problem.js';
import { saysWhatToDo } from '../support/api-contract/advice.js';

const root = path.resolve(import.meta.dirname, '../..');

const textOf = (node: ts.Expression): string | undefined => {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
};

/** Returns the literal details of errors in a source file: of a DomainError, of a field error, of a refused parameter. */
function detailsIn(source: ts.SourceFile): { readonly text: string; readonly line: number }[] {
  const found: { readonly text: string; readonly line: number }[] = [];
  const add = (node: ts.Expression | undefined): void => {
    const text = node && textOf(node);
    if (node && text !== undefined)
      found.push({ text, line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1 });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && node.expression.getText(source) === 'DomainError')
      add(node.arguments?.[1]);
    if (ts.isPropertyAssignment(node) && node.name.getText(source) === 'detail') add(node.initializer);
    if (ts.isVariableDeclaration(node) && node.name.getText(source) === 'detail') add(node.initializer);
    if (ts.isCallExpression(node) && node.expression.getText(source) === 'wrong') add(node.arguments[2]);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Matches a text that may contain a detail: only these are parsed, as parsing all sources takes seconds. */
const MAY_CONTAIN = /\b(?:DomainError|detail|wrong)\b/;

const parse = (name: string, text: string): ts.SourceFile =>
  ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);

describe('the detail of an error', () => {
  const files = execFileSync('git', ['ls-files', 'src', 'projections'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file.endsWith('.ts') && !file.startsWith('src/api-document/'));

  it('says what is wrong, then what to do', () => {
    const details = files.flatMap((file) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      if (!MAY_CONTAIN.test(text)) return [];
      return detailsIn(parse(file, text)).map((detail) => ({ file, ...detail }));
    });
    expect(details.length).toBeGreaterThan(150);
    const silent = details.filter(({ text }) => !saysWhatToDo(text));
    expect(silent.map(({ file, line, text }) => `${file}:${line} ${text}`)).toEqual([]);
  });

  it.each([
    [`new DomainError('conflict', 'The plan is sold.')`, false],
    [`new DomainError('conflict', 'The plan is sold. Choose another.')`, true],
    ['const fault = { detail: `There is no ${kind}.` }', false],
    [`wrong('invalid', 'limit', 'Give a whole number.')`, true],
  ])('is found in %s', (text, isComplete) => {
    const [detail] = detailsIn(parse('example.ts', text));
    expect(saysWhatToDo(detail!.text)).toBe(isComplete);
  });
});

describe('the title of an error', () => {
  it('is in docs/contract.md with its status, whichever it is', () => {
    const lines = readFileSync(path.join(root, 'docs/contract.md'), 'utf8').split('\n');
    const missing = Object.entries(STATUS_OF).filter(
      ([title, status]) =>
        !lines.some((line) => line.includes(`\`${title}\``) && line.includes(String(status))),
    );
    expect(missing).toEqual([]);
  });
});
