import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FileText, Search, User, type LucideIcon } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { findByText, type Found } from './find-by-text.js';
import { NAVIGATION } from './navigation.js';
import styles from './command-palette.module.css';

interface Item {
  readonly to: string;
  readonly label: string;
  readonly note?: string | undefined;
  readonly icon: LucideIcon;
}

interface Group {
  readonly value: string;
  readonly items: readonly Item[];
}

interface PaletteProps {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

/** Finds pages by name, customers by id or e-mail address, invoices by number. */
export function CommandPalette({ isOpen, onOpenChange }: PaletteProps) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup} aria-label="Find">
          <PaletteContent onDone={() => onOpenChange(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function PaletteContent({ onDone }: { readonly onDone: () => void }) {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const asked = useDeferredValue(text.trim());
  const { data: found, isFetching } = useQuery({
    queryKey: ['find', asked],
    queryFn: ({ signal }) => findByText(asked, signal),
    enabled: asked.length >= 2,
  });
  const groups = groupsOf(asked, asked.length >= 2 ? found : undefined);
  const open = (item: Item): void => {
    onDone();
    void navigate({ to: item.to });
  };
  return (
    <Autocomplete.Root
      open
      inline
      items={groups}
      filter={null}
      autoHighlight="always"
      keepHighlight
      value={text}
      onValueChange={(value, { reason }) => {
        if (reason !== 'item-press') setText(value);
      }}
      itemToStringValue={(item: Item) => item.label}
    >
      <div className={styles.inputLine}>
        <Search size={16} aria-hidden />
        <Autocomplete.Input
          className={styles.input}
          aria-label="Find a page, customer or invoice"
          placeholder="Page, customer id, e-mail address, invoice number…"
        />
        <Dialog.Close className={styles.escape}>Esc</Dialog.Close>
      </div>
      <Autocomplete.Empty className={styles.empty}>
        {isFetching
          ? 'Looking…'
          : asked === ''
            ? ''
            : `No page, customer id, e-mail address or invoice number is “${asked}”. Names of customers are stored encrypted and cannot be searched.`}
      </Autocomplete.Empty>
      <Autocomplete.List className={styles.list}>
        {(group: Group) => (
          <Autocomplete.Group key={group.value} items={group.items} className={styles.group}>
            <Autocomplete.GroupLabel className={styles.groupLabel}>{group.value}</Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(item: Item) => (
                <Autocomplete.Item
                  key={item.to}
                  value={item}
                  className={styles.item}
                  onClick={() => open(item)}
                >
                  <item.icon size={15} aria-hidden />
                  <span className={styles.itemLabel}>{item.label}</span>
                  {item.note !== undefined && <span className={styles.note}>{item.note}</span>}
                </Autocomplete.Item>
              )}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}

function groupsOf(asked: string, found: Found | undefined): Group[] {
  const pages = NAVIGATION.filter(({ label }) => label.toLowerCase().includes(asked.toLowerCase()));
  const customers = found?.customers.map(({ customer_id: id, customer_name: name }) => ({
    to: `/customers/${encodeURIComponent(id ?? '')}`,
    label: name ?? id ?? '',
    note: id ?? undefined,
    icon: User,
  }));
  const invoices = found?.invoices.map(({ invoice_id: id, invoice_number: number, customer }) => ({
    to: `/invoices/${id}`,
    label: number ?? id,
    note: customer.customer_name ?? undefined,
    icon: FileText,
  }));
  const groups: Group[] = [
    { value: 'Pages', items: pages },
    { value: 'Customers', items: customers ?? [] },
    { value: 'Invoices', items: invoices ?? [] },
  ];
  return groups.filter(({ items }) => items.length > 0);
}
