import { useCallback, useLayoutEffect, useRef, useState, type RefCallback } from 'react';

interface ColumnsBelow {
  /** Reference to the frame that scrolls a table which is too wide. */
  readonly frame: RefCallback<HTMLElement>;
  /** Number of minor columns that stand below their row. */
  readonly below: number;
}

/**
 * Measures a table in its frame, and tells how many of its minor columns have no room: as few as possible. The browser
 * draws the table when it fits.
 */
export function useColumnsBelow(minor: number): ColumnsBelow {
  const element = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY);
  const [, setMeasured] = useState('');
  /** Widths that the table needs with no minor column below, with one, and so on. */
  const [needed, setNeeded] = useState<readonly number[]>([]);
  const below = Math.min(minor, needed.findLastIndex((one) => one > width) + 1);
  useLayoutEffect(() => {
    const { current: frame } = element;
    if (!frame || below >= minor || frame.scrollWidth <= frame.clientWidth) return;
    setWidth(frame.clientWidth);
    setNeeded((before) => [...before.slice(0, below), frame.scrollWidth]);
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
  return { frame, below };
}
