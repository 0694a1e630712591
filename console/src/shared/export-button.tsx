import { Download, X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Pages } from '../../../clients/typescript/src/index.js';
import { Button } from './button.js';
import type { Column } from './data-table.js';
import { formatQuantity } from './amount.js';
import { Problem } from './problem.js';
import { saveRows } from './save-rows.js';

interface ExportButtonProps<Item> {
  /** Name of the file, without `.csv`. */
  readonly name: string;
  readonly columns: readonly Column<Item>[];
  /** Reads the whole list with the filters of the page. */
  readonly read: (options: { limit: number }, signal: AbortSignal) => Pages<Item>;
  readonly look?: 'plain' | 'quiet';
  /** Name of the list for screen readers, where a page has several. */
  readonly of?: string;
}

/** Writes the whole list to a CSV file, page by page. It shows its progress and can be stopped. */
export function ExportButton<Item>(props: ExportButtonProps<Item>) {
  const { name, columns, read, look = 'plain', of } = props;
  const [count, setCount] = useState<number>();
  const [error, setError] = useState<unknown>();
  const running = useRef<AbortController>(undefined);

  async function run(): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    setError(undefined);
    setCount(0);
    try {
      const rows: Item[] = [];
      for await (const { items } of read({ limit: 1000 }, controller.signal).byPage()) {
        rows.push(...items);
        setCount(rows.length);
      }
      saveRows(name, columns, rows);
    } catch (failure) {
      if (!controller.signal.aborted) setError(failure);
    } finally {
      setCount(undefined);
    }
  }

  if (count !== undefined) {
    return (
      <Button onClick={() => running.current?.abort()}>
        <X size={14} aria-hidden />
        <span aria-live="polite">{formatQuantity(count)} read. Stop</span>
      </Button>
    );
  }
  return (
    <>
      <Button look={look} onClick={() => void run()}>
        <Download size={14} aria-hidden /> Export CSV
        {of !== undefined && <span className="visually-hidden"> of {of}</span>}
      </Button>
      {error !== undefined && <Problem error={error} />}
    </>
  );
}
