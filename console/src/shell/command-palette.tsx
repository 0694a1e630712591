import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { FileText, Layers, Palette, Search, User, Zap, type LucideIcon } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { findByText, type Found } from './find-by-text.js';
import { NAVIGATION } from './navigation.js';
import { applyTheme, THEMES } from './theme.js';
import styles from './command-palette.module.css';

const ONLY_FULL_IDS = ' With more than 1,000 customers, only full ids and e-mail addresses are found.';

interface Item {
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
  /** Runs instead of opening a page. */
  readonly run?: () => void;
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

/** Finds pages, actions, plans and colors by name, customers by name, id or e-mail address, invoices by number. */
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
  const { pathname } = useLocation();
  const customerId = /^\/customers\/([^/]+)/.exec(pathname)?.[1];
  const groups = groupsOf(asked, asked.length >= 2 ? found : undefined, customerId);
  const open = (item: Item): void => {
    onDone();
    if (item.run) item.run();
    else void navigate({ to: item.to, search: item.search ?? {} });
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
          aria-label="Find a page, action, plan, customer or invoice"
          placeholder="Page, action, plan, customer, invoice number…"
        />
        <Dialog.Close className={styles.escape}>Esc</Dialog.Close>
      </div>
      <Autocomplete.Empty className={styles.empty}>
        {isFetching
          ? 'Searching…'
          : asked === ''
            ? ''
            : `Nothing found for “${asked}”.${found?.hasLookedAtNames === false ? ONLY_FULL_IDS : ''}`}
      </Autocomplete.Empty>
      <Autocomplete.List className={styles.list}>
        {(group: Group) => (
          <Autocomplete.Group key={group.value} items={group.items} className={styles.group}>
            <Autocomplete.GroupLabel className={styles.groupLabel}>{group.value}</Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(item: Item) => (
                <Autocomplete.Item
                  key={`${item.label} ${item.to}`}
                  value={item}
                  className={styles.item}
                  onClick={() => open(item)}
                >
                  <item.icon size={15} aria-hidden />
                  <span className={styles.itemLabel} title={item.label}>
                    {item.label}
                  </span>
                  {item.note !== undefined && (
                    <span className={styles.note} title={item.note}>
                      {item.note}
                    </span>
                  )}
                </Autocomplete.Item>
              )}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}

/** Words of actions, which are on the page of changes of a customer. */
const ACTIONS = [
  'Subscribe',
  'Switch plan',
  'Change units',
  'Attach add-on',
  'Cancel',
  'Grant credit',
  'Void credit',
  'Mark as paid',
  'Void invoice',
];
/** Actions that need nothing else than the customer: their form opens at once. */
const AT_ONCE: Readonly<Record<string, string>> = { Subscribe: 'subscribe', 'Grant credit': 'grant-credit' };

const THEME_NAMES = { system: 'System colors', light: 'Light colors', dark: 'Dark colors' } as const;

function actItems(asked: string, customerId: string | undefined): Item[] {
  if (asked.length < 2) return [];
  return ACTIONS.filter((label) => label.toLowerCase().includes(asked.toLowerCase())).map((label) => ({
    to: customerId === undefined ? '/customers' : `/customers/${customerId}/changes`,
    ...(customerId !== undefined && AT_ONCE[label] !== undefined ? { search: { act: AT_ONCE[label] } } : {}),
    label,
    note: customerId === undefined ? 'choose a customer first' : `for ${decodeURIComponent(customerId)}`,
    icon: Zap,
  }));
}

const themeItems = (asked: string): Item[] =>
  asked.length < 2
    ? []
    : THEMES.filter((theme) => THEME_NAMES[theme].toLowerCase().includes(asked.toLowerCase())).map(
        (theme) => ({
          to: theme,
          label: THEME_NAMES[theme],
          icon: Palette,
          run: () => applyTheme(theme),
        }),
      );

function groupsOf(asked: string, found: Found | undefined, customerId: string | undefined): Group[] {
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
    { value: 'Actions', items: actItems(asked, customerId) },
    { value: 'Customers', items: customers ?? [] },
    {
      value: 'Plans',
      items: (found?.plans ?? []).map(({ plan_id: id, plan_name: name }) => ({
        to: `/plans/${id}`,
        label: name,
        icon: Layers,
      })),
    },
    { value: 'Invoices', items: invoices ?? [] },
    { value: 'Colors', items: themeItems(asked) },
  ];
  return groups.filter(({ items }) => items.length > 0);
}
