import type { ReactNode } from 'react';
import { useDisclosureInUrl } from './use-disclosure-in-url.js';

interface DisclosureProps {
  /** Names it in the address. */
  readonly name: string;
  readonly summary: ReactNode;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** Part of a page that is unfolded; the address has whether it is. */
export function Disclosure({ name, summary, className, children }: DisclosureProps) {
  const [isOpen, setOpen] = useDisclosureInUrl('open', name);
  return (
    <details
      className={className}
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open !== isOpen) setOpen(currentTarget.open);
      }}
    >
      <summary>{summary}</summary>
      {children}
    </details>
  );
}
