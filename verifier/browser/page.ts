import { jsonOfFailure, verifyBundle } from '../report.js';
import { jsonOf } from '../report-json.js';
import { browserPlatform, sourceOf } from './browser-platform.js';
import { showFailure, showReport, showWorking } from './show-report.js';

const byId = <Kind extends HTMLElement>(id: string): Kind => document.getElementById(id) as Kind;
const [bundle, since, consistency, expect, key] = ['bundle', 'since', 'consistency', 'expect', 'key'].map(
  (id) => byId<HTMLInputElement>(id),
) as [HTMLInputElement, HTMLInputElement, HTMLInputElement, HTMLInputElement, HTMLInputElement];
const witnesses = byId<HTMLTextAreaElement>('witnesses');
const button = byId<HTMLButtonElement>('verify');
const result = byId('result');
const drop = document.querySelector<HTMLElement>('.drop')!;

function showChosen(): void {
  const [file] = bundle.files ?? [];
  byId('chosen').textContent = file
    ? `${file.name}, ${file.size.toLocaleString('en')} bytes`
    : 'No bundle is chosen';
  button.disabled = !file;
}

/** Puts dropped files into their fields. */
function take(files: FileList): void {
  for (const file of files) {
    const name = file.name.toLowerCase();
    const [, ending = ''] = /\.(zip|pdf|json)$/.exec(name) ?? [];
    const field = { zip: bundle, pdf: expect, json: consistency }[ending] ?? since;
    const one = new DataTransfer();
    one.items.add(file);
    field.files = one.files;
  }
  showChosen();
}

async function verify(): Promise<void> {
  const [file] = bundle.files ?? [];
  if (!file) return;
  button.disabled = true;
  showWorking(result, file.name);
  // Lets the browser draw before the work begins.
  await new Promise((resolve) => setTimeout(resolve, 50));
  try {
    const held = {
      key: key.value.trim() || undefined,
      withoutSignature: false,
      witnesses: witnesses.value.split(/\s+/).filter((one) => one !== ''),
      since: await since.files?.[0]?.text(),
      consistency: await consistency.files?.[0]?.text(),
      expected: await bytesOf(expect.files?.[0]),
    };
    const report = await verifyBundle(sourceOf(file), browserPlatform, held);
    showReport(result, report, () => save(file.name, jsonOf(report, true)));
  } catch (error) {
    const failure = jsonOfFailure(error);
    showFailure(result, failure, () => save(file.name, [`${JSON.stringify(failure)}\n`]));
  } finally {
    button.disabled = false;
  }
}

const bytesOf = async (file: File | undefined): Promise<Uint8Array | undefined> =>
  file && new Uint8Array(await file.arrayBuffer());

/** Saves the JSON that `recount-verify --json` prints. */
function save(bundleName: string, json: Iterable<string>): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([...json], { type: 'application/json' }));
  link.download = `${bundleName.replace(/\.zip$/i, '')}-verified.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

bundle.addEventListener('change', showChosen);
document.addEventListener('dragover', (event) => {
  event.preventDefault();
  drop.classList.add('over');
});
document.addEventListener('dragleave', () => drop.classList.remove('over'));
document.addEventListener('drop', (event) => {
  event.preventDefault();
  drop.classList.remove('over');
  if (event.dataTransfer) take(event.dataTransfer.files);
});
document.querySelector('form')!.addEventListener('submit', (event) => {
  event.preventDefault();
  void verify();
});
