import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight } from 'lucide-react';
import { useState, type KeyboardEvent, type SyntheticEvent } from 'react';
import { Button } from '../../shared/button.js';
import { Field, TextInput } from '../../shared/field.js';
import { formatInstant } from '../../shared/instant.js';
import { fromLocalText, localTextOf } from '../../shared/moment.js';
import styles from './history.module.css';
import {
  instantAtPosition,
  momentAway,
  momentAt,
  positionOf,
  SLIDER_POSITIONS,
  type Moment,
} from './moments.js';

/** Number of events that a page key skips; home and end skip all. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
  Home: -Infinity,
  End: Infinity,
};

interface MomentSliderProps {
  /** At least one, the earliest first. */
  readonly moments: readonly Moment[];
  readonly at: string;
  readonly zone: string;
  readonly onMove: (at: string) => void;
}

/**
 * Moves through the past: from event to event by keys and buttons, to any moment by dragging and by date and
 * time.
 */
export function MomentSlider({ moments, at, zone, onMove }: MomentSliderProps) {
  const here = momentAt(moments, at);
  const index = here ? moments.indexOf(here) : -1;
  const go = (steps: number): void => {
    const to =
      steps === -Infinity ? moments[0] : steps === Infinity ? moments.at(-1) : momentAway(moments, at, steps);
    if (to) onMove(to.at);
  };
  const press = (event: KeyboardEvent): void => {
    const steps = STEPS[event.key];
    if (steps === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    go(steps);
  };
  const isFirst = index < 0 || (index === 0 && here!.at === at);
  const isLast = index === moments.length - 1;
  const positions = [...new Set(moments.map((moment) => positionOf(moments, moment.at)))];
  return (
    <div className={styles.slider}>
      <div className={styles.track}>
        <svg
          viewBox={`0 0 ${SLIDER_POSITIONS} 10`}
          preserveAspectRatio="none"
          className={styles.marks}
          aria-hidden
          focusable={false}
        >
          {positions.map((position) => (
            <line
              key={position}
              x1={position}
              x2={position}
              y1={0}
              y2={10}
              vectorEffect="non-scaling-stroke"
            />
          ))}
        </svg>
        <input
          type="range"
          className={styles.range}
          min={0}
          max={SLIDER_POSITIONS}
          value={positionOf(moments, at)}
          aria-label="Moment"
          aria-valuetext={`${formatInstant(at, zone)}, ${
            here === undefined
              ? 'before the first event'
              : here.at === at
                ? here.events.map(({ summary }) => summary).join(' ')
                : 'between two events'
          }`}
          onChange={({ target }) => onMove(instantAtPosition(moments, Number(target.value)))}
          onKeyDown={press}
        />
        <div className={styles.ends} aria-hidden>
          <span>{formatInstant(moments[0]!.at, zone)}</span>
          <span>{formatInstant(moments.at(-1)!.at, zone)}</span>
        </div>
      </div>
      <div className={styles.steps}>
        <Button onClick={() => go(-Infinity)} disabled={isFirst} aria-label="First event" title="First event">
          <ChevronFirst size={16} aria-hidden />
        </Button>
        <Button onClick={() => go(-1)} disabled={isFirst}>
          <ChevronLeft size={16} aria-hidden />
          <span>
            Previous<span className={styles.word}> event</span>
          </span>
        </Button>
        <Button onClick={() => go(1)} disabled={isLast}>
          <span>
            Next<span className={styles.word}> event</span>
          </span>
          <ChevronRight size={16} aria-hidden />
        </Button>
        <Button
          onClick={() => go(Infinity)}
          disabled={isLast && here?.at === at}
          aria-label="Newest event"
          title="Newest event"
        >
          <ChevronLast size={16} aria-hidden />
        </Button>
        <MomentField at={at} zone={zone} onMove={onMove} />
      </div>
    </div>
  );
}

type MomentFieldProps = Pick<MomentSliderProps, 'at' | 'zone' | 'onMove'>;

/** Field for an exact moment, on the clocks of the customer's zone. */
function MomentField({ at, zone, onMove }: MomentFieldProps) {
  const shown = localTextOf(at, zone);
  const [text, setText] = useState(shown);
  const [former, setFormer] = useState(shown);
  if (former !== shown) {
    setFormer(shown);
    setText(shown);
  }
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (text !== '' && text !== shown) onMove(fromLocalText(text, zone));
  };
  return (
    <form className={styles.exact} onSubmit={submit}>
      <Field label={`Date and time in ${zone}`}>
        <TextInput
          type="datetime-local"
          step={1}
          required
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </Field>
      <Button type="submit">Show</Button>
    </form>
  );
}
