import { sentenceOf } from '../check-cosignatures.js';
import { sentenceOfFurther } from '../left-out.js';
import { COLUMNS, rowOf, sentencesOf, verdictOf, type jsonOfFailure, type Report } from '../report.js';
import { shownDifference } from './both-values.js';

/** Limit of shown rows and differences; the saved JSON has all. */
const MAX_SHOWN = 1_000;

type Child = Node | string;

function element(name: string, className: string, ...children: readonly Child[]): HTMLElement {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  made.append(...children);
  return made;
}

export function showWorking(place: HTMLElement, name: string): void {
  place.replaceChildren(element('p', 'soft', `Reading ${name} …`));
}

export function showReport(place: HTMLElement, report: Report, save: () => void): void {
  const { organization, counts, invoices, notProven, further, expected, signature, cosignatures, seconds } =
    report;
  const sentences = sentencesOf(report);
  const computed = `${counted(invoices.length, 'invoice')} computed again`;
  const [kind, verdict] = {
    'as issued': ['good', `All as issued: ${computed}`],
    'not proven': ['open', `As issued, but not all is proven: ${computed}`],
    differs: ['bad', `${counted(sentences.length, 'difference')} found`],
  }[verdictOf(report)] as [string, string];
  place.replaceChildren(
    element('p', `verdict ${kind}`, verdict),
    ...differencesOf(sentences),
    ...notProven.map((sentence) => element('p', 'place', `Not proven: ${sentence}`)),
    facts([
      ['Organization', organization],
      [
        'Events',
        `${counts.events.toLocaleString('en')}, and ${counted(counts.usage, 'usage event')} of ${counted(counts.batches, 'batch', 'batches')}`,
      ],
      ['Signature', signature],
      ...(expected ? ([['PDF', `the document of ${expected.invoice} (${expected.kind})`]] as const) : []),
      ...cosignatures.map((cosignature) => ['Cosigned', `by ${sentenceOf(cosignature)}`] as const),
      ...(further.length > 0 ? ([['Not in it', sentenceOfFurther(further)]] as const) : []),
      ['Time', `${seconds} s`],
    ]),
    saveButton(save),
    ...tableOf(report),
  );
}

export function showFailure(
  place: HTMLElement,
  { detail, refused }: ReturnType<typeof jsonOfFailure>,
  save: () => void,
): void {
  const verdict = refused ? 'The bundle is refused: nothing of it is believed' : 'The bundle cannot be read';
  const sentence = detail.replace(/^[^:]+: /, '');
  place.replaceChildren(
    element('p', 'verdict bad', verdict),
    ...(refused ? differencesOf([sentence]) : [element('p', 'place', sentence)]),
    saveButton(save),
  );
}

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

function saveButton(save: () => void): HTMLElement {
  const button = element('button', '', 'Save as JSON') as HTMLButtonElement;
  button.type = 'button';
  button.addEventListener('click', save);
  return button;
}

function facts(rows: readonly (readonly [string, string])[]): HTMLElement {
  return element(
    'dl',
    'facts',
    ...rows.flatMap(([name, value]) => [element('dt', '', name), element('dd', '', value)]),
  );
}

/** Shows the first difference in full, the others below it. */
function differencesOf(sentences: readonly string[]): HTMLElement[] {
  const [first, ...others] = sentences;
  if (first === undefined) return [];
  const rest = others.slice(0, MAX_SHOWN);
  const more = others.length - rest.length;
  return [
    element('h2', '', others.length === 0 ? 'The difference' : 'The first difference'),
    ...shown(first),
    ...(others.length === 0
      ? []
      : [
          element(
            'details',
            '',
            element('summary', '', counted(others.length, 'more difference')),
            ...rest.flatMap(shown),
            ...(more > 0 ? [element('p', 'soft', `${counted(more, 'more')} in the JSON`)] : []),
          ),
        ]),
  ];
}

function shown(sentence: string): HTMLElement[] {
  const { place, names, values } = shownDifference(sentence);
  const title = element('p', 'place', place);
  if (values.length === 0) return [title];
  const hasMembers = values.some(({ member }) => member !== '');
  const head = [...(hasMembers ? ['member'] : []), ...names];
  const rows = values.map(({ member, one, other }) => [...(hasMembers ? [member] : []), one, other]);
  return [title, table(head, rows, () => 'value')];
}

function tableOf({ invoices }: Report): HTMLElement[] {
  const rows = invoices.slice(0, MAX_SHOWN).map(rowOf);
  const more = invoices.length - rows.length;
  const classOf = (cell: string, column: number) =>
    column === 1 || column === 2 ? 'number' : cell === 'DIFFERS' ? 'differs' : '';
  const people = invoices
    .slice(0, MAX_SHOWN)
    .flatMap(({ number, personalData }) =>
      personalData ? [[number, personalData.result, JSON.stringify(personalData.data)]] : [],
    );
  return [
    element('h2', '', 'Invoices'),
    table(COLUMNS, rows, classOf),
    ...(people.length > 0
      ? [element('h2', '', 'Customers'), table(['invoice', 'result', 'details'], people, () => '')]
      : []),
    ...(more > 0 ? [element('p', 'soft', `${more.toLocaleString('en')} more invoices are in the JSON`)] : []),
  ];
}

function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  classOf: (cell: string, column: number) => string,
): HTMLElement {
  const line = (name: 'th' | 'td', cells: readonly string[]) =>
    element(
      'tr',
      '',
      ...cells.map((cell, column) => {
        const kind = classOf(cell, column);
        return element(name, name === 'td' || kind === 'number' ? kind : '', cell);
      }),
    );
  const body = element('tbody', '', ...rows.map((row) => line('td', row)));
  const frame = element('div', 'frame', element('table', '', element('thead', '', line('th', head)), body));
  frame.tabIndex = 0;
  return frame;
}
