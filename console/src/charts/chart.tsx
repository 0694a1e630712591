import { Link, useNavigate } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { lazy, Suspense, useEffect, type ReactNode } from 'react';
import { Button } from '../shared/button.js';
import { classNames } from '../shared/class-names.js';
import { useDisclosureInUrl } from '../shared/use-disclosure-in-url.js';
import { toCsv } from '../shared/csv.js';
import table from '../shared/data-table.module.css';
import { saveFile } from '../shared/save-file.js';
import type { ChartData, ChartLink } from './chart-data.js';
import styles from './chart.module.css';

const load = () => import('./bar-chart.js');
const BarChart = lazy(async () => ({ default: (await load()).BarChart }));

/** Loads the library once the page is drawn, while its numbers are on the way. */
export const useChartsSoon = (): void =>
  useEffect(() => {
    load().catch(() => undefined);
  }, []);

interface ChartProps extends ChartData {
  readonly title: string;
  /** Heading of the column of labels, such as Month. */
  readonly of: string;
  readonly format: (value: number) => string;
  /** Headline figure of the chart, such as today's. */
  readonly headline?: string;
  /** Page with the records behind the headline. */
  readonly link?: ChartLink;
  /** Format of the axis, where there is little room. */
  readonly axisFormat?: (value: number) => string;
  /** Controls that choose the content of the chart. */
  readonly choice?: ReactNode;
  /** Moment of the numbers. */
  readonly note: ReactNode;
}

/** Chart with its legend and the table of its numbers, which screen readers read instead. */
export function Chart(props: ChartProps) {
  const { title, of, format, axisFormat, headline, link, choice, note, series, rows } = props;
  const [isShown, setShown] = useDisclosureInUrl('numbers', title);
  const navigate = useNavigate();
  return (
    <figure className={styles.chart} aria-label={title}>
      <div className={styles.head}>
        <h3>{title}</h3>
        <div className={styles.buttons}>
          {isShown && (
            <Button look="quiet" onClick={() => saveNumbers(props)}>
              <Download size={14} aria-hidden /> CSV
              <span className="visually-hidden"> of {title}</span>
            </Button>
          )}
          <Button look="quiet" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? 'Hide numbers' : 'Show numbers'}
            <span className="visually-hidden"> of {title}</span>
          </Button>
        </div>
      </div>
      {choice}
      {headline !== undefined && (
        <p className={styles.headline}>{link ? <Link {...link}>{headline}</Link> : headline}</p>
      )}
      {series.length > 1 && (
        <ul className={styles.legend} aria-hidden>
          {series.map(({ name, color }) => (
            <li key={name}>
              <svg width="10" height="10">
                <rect width="10" height="10" rx="2" fill={color} />
              </svg>
              {name}
            </li>
          ))}
        </ul>
      )}
      <div className={styles.drawing} aria-hidden>
        <Suspense fallback={<span aria-busy />}>
          <BarChart
            series={series}
            rows={rows}
            format={format}
            axisFormat={axisFormat}
            onOpen={({ link: to }) => to && void navigate(to)}
          />
        </Suspense>
      </div>
      <div
        className={isShown ? styles.numbers : 'visually-hidden'}
        {...(isShown && { role: 'region', 'aria-label': `Numbers of ${title}`, tabIndex: 0 })}
      >
        <table className={table.table}>
          <caption className="visually-hidden">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{of}</th>
              {series.map(({ name }) => (
                <th key={name} scope="col" className={table.end}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ label, link: to, values }) => (
              <tr key={label}>
                <th scope="row">{isShown && to ? <Link {...to}>{label}</Link> : label}</th>
                {values.map((value, index) => (
                  <td key={series[index]!.name} className={classNames(table.end, 'number')}>
                    {format(value)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <figcaption className={styles.note}>{note}</figcaption>
    </figure>
  );
}

function saveNumbers({ title, of, series, rows }: ChartProps): void {
  const header = [of, ...series.map(({ name }) => name)];
  const lines = rows.map(({ label, values }) => [label, ...values]);
  const file = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  saveFile(`${file}.csv`, toCsv([header, ...lines]), 'text/csv');
}
