import {
  Activity,
  LayoutDashboard,
  Gauge,
  Layers,
  Repeat,
  ReceiptText,
  Ruler,
  ScrollText,
  Users,
  type LucideIcon,
} from 'lucide-react';

export interface NavigationEntry {
  readonly to: string;
  readonly label: string;
  readonly icon: LucideIcon;
}

/** Pages of the navigation and the command palette, in this order. */
export const NAVIGATION: readonly NavigationEntry[] = [
  { to: '/', label: 'Overview', icon: LayoutDashboard },
  { to: '/customers', label: 'Customers', icon: Users },
  { to: '/subscriptions', label: 'Subscriptions', icon: Repeat },
  { to: '/plans', label: 'Plans', icon: Layers },
  { to: '/metrics', label: 'Metrics and features', icon: Ruler },
  { to: '/invoices', label: 'Invoices', icon: ReceiptText },
  { to: '/events', label: 'Usage events', icon: Gauge },
  { to: '/operation', label: 'Operations', icon: Activity },
  { to: '/audit', label: 'Audit log', icon: ScrollText },
];
