import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { LogOut, Menu, Search, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { logOut, sessionQuery } from '../api/session.js';
import { organizationQuery } from '../api/organization.js';
import { Badge } from '../shared/badge.js';
import { Button } from '../shared/button.js';
import { classNames } from '../shared/class-names.js';
import { ErrorBoundary } from '../shared/error-boundary.js';
import { CommandPalette } from './command-palette.js';
import { NAVIGATION } from './navigation.js';
import { ServiceWait } from './service-wait.js';
import styles from './shell.module.css';
import { ThemeSwitch } from './theme-switch.js';

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function Shell() {
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const { pathname } = useLocation();
  useEffect(() => setMenuOpen(false), [pathname]);
  useEffect(() => {
    const open = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setPaletteOpen((isOpen) => !isOpen);
    };
    window.addEventListener('keydown', open);
    return () => window.removeEventListener('keydown', open);
  }, []);
  const find = (): void => {
    setMenuOpen(false);
    setPaletteOpen(true);
  };
  return (
    <div className={styles.shell}>
      <a href="#content" className={styles.skip}>
        Skip to the content
      </a>
      <header className={styles.bar}>
        <Dialog.Root open={isMenuOpen} onOpenChange={setMenuOpen}>
          <Dialog.Trigger className={styles.iconButton} aria-label="Menu">
            <Menu size={18} aria-hidden />
          </Dialog.Trigger>
          <Dialog.Portal>
            <Dialog.Backdrop className={styles.backdrop} />
            <Dialog.Popup className={styles.drawer} aria-label="Menu">
              <Dialog.Close className={classNames(styles.iconButton, styles.close)} aria-label="Close">
                <X size={18} aria-hidden />
              </Dialog.Close>
              <SideContent onFind={find} />
            </Dialog.Popup>
          </Dialog.Portal>
        </Dialog.Root>
        <span className={styles.brand}>Recount</span>
        <button type="button" className={styles.iconButton} aria-label="Find" onClick={find}>
          <Search size={18} aria-hidden />
        </button>
      </header>
      <aside className={styles.side}>
        <SideContent onFind={find} />
      </aside>
      <main id="content" className={styles.main}>
        <ErrorBoundary key={pathname}>
          <Outlet />
        </ErrorBoundary>
      </main>
      <ServiceWait />
      <CommandPalette isOpen={isPaletteOpen} onOpenChange={setPaletteOpen} />
    </div>
  );
}

function SideContent({ onFind }: { readonly onFind: () => void }) {
  const { data: session } = useQuery(sessionQuery);
  const { data: organization } = useQuery(organizationQuery);
  return (
    <div className={styles.sideContent}>
      <div className={styles.organization}>
        <img src="/console/icon.svg" alt="" width={22} height={22} />
        <span className={styles.organizationName} title={organization?.organization_name}>
          {organization?.organization_name ?? 'Recount'}
        </span>
      </div>
      <button type="button" className={styles.find} onClick={onFind}>
        <Search size={14} aria-hidden /> Find
        <kbd className={styles.keys}>{IS_MAC ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      <nav aria-label="Pages" className={styles.nav}>
        {NAVIGATION.map(({ to, label, icon: Icon }) => (
          <Link
            key={to}
            to={to}
            className={styles.link}
            activeOptions={{ exact: to === '/' }}
            activeProps={{ className: styles.active }}
          >
            <Icon size={16} aria-hidden /> {label}
          </Link>
        ))}
      </nav>
      <div className={styles.foot}>
        <ThemeSwitch />
        {session && (
          <div className={styles.session}>
            <span className={styles.keyName} title={`${session.key_name}, key ${session.key_prefix}`}>
              {session.key_name}
            </span>
            {session.scope === 'read' && <Badge>read only</Badge>}
            <Button look="quiet" aria-label="Log out" title="Log out" onClick={() => void logOut()}>
              <LogOut size={15} aria-hidden />
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}
