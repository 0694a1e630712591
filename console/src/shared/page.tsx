import { useEffect, useRef, type ReactNode } from 'react';
import { Freshness, type ReadModelName } from './freshness.js';
import { UnknownAction } from './unknown-action.js';
import styles from './page.module.css';

interface PageProps {
  readonly title: string;
  /** Links to the pages above, above the title. */
  readonly trail?: ReactNode;
  /** Element beside the title, such as a status. */
  readonly beside?: ReactNode;
  readonly actions?: ReactNode;
  /** Read models that the numbers of the page come from. */
  readonly readModels?: readonly ReadModelName[];
  readonly children: ReactNode;
}

/**
 * Page with its heading. It names the browser's tab, and takes the focus when it opens, so that screen
 * readers announce it.
 */
export function Page({ title, trail, beside, actions, readModels, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Recount`;
  }, [title]);
  useEffect(() => {
    const isTyping = document.activeElement instanceof HTMLInputElement;
    if (!isTyping) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <div className={styles.heading}>
          {trail !== undefined && (
            <nav aria-label="Breadcrumb" className={styles.trail}>
              {trail}
            </nav>
          )}
          <div className={styles.titleLine}>
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {beside}
          </div>
          {readModels !== undefined && <Freshness of={readModels} />}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      <UnknownAction />
      {children}
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, actions, children }: SectionProps) {
  return (
    <section className={styles.section} aria-label={title}>
      <header className={styles.sectionHeader}>
        <h2>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  );
}
