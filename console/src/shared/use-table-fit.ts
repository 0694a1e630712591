import { useCallback, useLayoutEffect, useRef, useState, type RefCallback } from 'react';

interface Fit {
  /** Reference to the frame of the table. */
  readonly frame: RefCallback<HTMLElement>;
  /** Number of steps taken. */
  readonly steps: number;
}

/**
 * Measures a table in its frame, and tells how many steps of saving room it has to take: as few as possible, and at
 * least those given. The browser draws the table when it fits, or when no step is left.
 */
export function useTableFit(least: number, most: number): Fit {
  const element = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY);
  const [, setMeasured] = useState('');
  /** Widths that the table needs after no step, after one, and so on, where they were too large. */
  const [needed, setNeeded] = useState<readonly number[]>([]);
  const steps = Math.max(least, Math.min(most, needed.findLastIndex((one) => one > width) + 1));
  useLayoutEffect(() => {
    const { current: frame } = element;
    if (!frame || steps >= most || frame.scrollWidth <= frame.clientWidth) return;
    setWidth(frame.clientWidth);
    setNeeded((before) =>
      Array.from({ length: steps + 1 }, (_, step) => before[step] ?? 0).with(steps, frame.scrollWidth),
    );
  });
  const frame = useCallback((found: HTMLElement | null) => {
    element.current = found;
    if (!found) return undefined;
    // The table grows without a new state when its font arrives.
    const parts = [found, ...found.children] as HTMLElement[];
    const observer = new ResizeObserver(() => {
      setWidth(found.clientWidth);
      setMeasured(parts.map(({ offsetWidth }) => offsetWidth).join(' '));
    });
    for (const part of parts) observer.observe(part);
    return () => observer.disconnect();
  }, []);
  return { frame, steps };
}
