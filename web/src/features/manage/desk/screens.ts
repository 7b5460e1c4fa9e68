import type { Viewer } from '@befaqt/domain/api/site-api'
import type { Waiting } from '@befaqt/domain/api/today-api'
import { mayAtDesk, type Right, worksAtDesk } from '@befaqt/domain/rights'
import { useLocation } from 'react-router'
import type { DeskIcon } from './desk-icon.tsx'

/** A screen of the desk. */
export type DeskScreen = {
  /** With its query, where it is a part of another screen. */
  path: string
  /** In the rail. */
  label: string
  /** Its heading, and what the palette calls it. */
  title: string
  /** What it is for. */
  about: string
  icon: DeskIcon
  /** The right that its data ask for; 'staff': any; 'admin': no right is enough. */
  needs: Right | 'staff' | 'admin'
  /** What is counted beside it. */
  waits?: keyof Waiting
}

/** Groups of screens by the day's work. The rail, the palette and the headings are made of this table. */
export const deskGroups: readonly { name: string; screens: readonly DeskScreen[] }[] = [
  {
    name: 'Day',
    screens: [
      {
        path: '/manage',
        label: 'Today',
        title: 'Today',
        about: 'What is to be done now',
        icon: 'today',
        needs: 'staff',
      },
    ],
  },
  {
    name: 'Orders',
    screens: [
      {
        path: '/manage/order',
        label: 'Orders',
        title: 'Manage Order',
        about: 'The queue: pack, hand out, cancel, print',
        icon: 'order',
        needs: 'order:read',
        waits: 'orders',
      },
      {
        path: '/manage/order?status=complaint',
        label: 'Complaints',
        title: 'Complaints',
        about: 'What buyers say is wrong with their orders',
        icon: 'complaint',
        needs: 'order:read',
        waits: 'complaints',
      },
      {
        path: '/manage/customer',
        label: 'Customers',
        title: 'Customers',
        about: 'Who bought, when and how much; a copy of their data, and erasure',
        icon: 'customer',
        needs: 'customer:read',
      },
      {
        path: '/manage/slot',
        label: 'Slots',
        title: 'Manage Slot',
        about: 'Times for pick-up and delivery, weekly and by hand',
        icon: 'slot',
        needs: 'order:write',
      },
    ],
  },
  {
    name: 'Catalogue',
    screens: [
      {
        path: '/manage/product',
        label: 'Products',
        title: 'Manage Product',
        about: 'Prices, stock, pictures; many at once or by CSV',
        icon: 'product',
        needs: 'shop:write',
      },
      {
        path: '/manage/category',
        label: 'Categories',
        title: 'Manage Category',
        about: 'What the shop is divided into',
        icon: 'category',
        needs: 'shop:write',
      },
      {
        path: '/manage/offer',
        label: 'Offers',
        title: 'Manage Offer',
        about: 'Coupons: what they take off, when and how often',
        icon: 'offer',
        needs: 'shop:write',
      },
    ],
  },
  {
    name: 'Boxes',
    screens: [
      {
        path: '/manage/box',
        label: 'Boxes',
        title: 'Manage Box',
        about: 'Catches, records, seals, labels and the ledger',
        icon: 'box',
        needs: 'box:write',
      },
      {
        path: '/manage/excursion',
        label: 'Excursions',
        title: 'Manage Excursion',
        about: 'Warm stretches and silent sensors, and who is notified',
        icon: 'excursion',
        needs: 'box:write',
        waits: 'excursions',
      },
      {
        path: '/manage/trade',
        label: 'Trade',
        title: 'Manage Trade',
        about: 'EPCIS and FSMA 204 of many boxes, and import of EPCIS',
        icon: 'trade',
        needs: 'box:write',
      },
      {
        path: '/manage/supplier',
        label: 'Suppliers',
        title: 'Manage Supplier',
        about: 'Who records catches and hand-overs by phone',
        icon: 'supplier',
        needs: 'box:write',
      },
      {
        path: '/manage/device',
        label: 'Devices',
        title: 'Manage Device',
        about: 'Loggers and phones that sign readings; who is silent',
        icon: 'device',
        needs: 'device:write',
      },
      {
        path: '/manage/tracker',
        label: 'Trackers',
        title: 'Manage Tracker',
        about: 'Devices of other services, and with which box each travels',
        icon: 'tracker',
        needs: 'device:write',
      },
      {
        path: '/station',
        label: 'Station',
        title: 'Station',
        about: 'Results of an e-eye or e-nose that has no API, by hand or with a key',
        icon: 'station',
        needs: 'record:write',
      },
    ],
  },
  {
    name: 'Shop',
    screens: [
      {
        path: '/manage/user',
        label: 'Users',
        title: 'Manage User',
        about: 'Names, roles and status of accounts',
        icon: 'user',
        needs: 'user:write',
      },
      {
        path: '/manage/report',
        label: 'Reports',
        title: 'Reports',
        about: 'Sales by day, product, category, customer, slot and coupon; what became of fish',
        icon: 'report',
        needs: 'report:read',
      },
      {
        path: '/manage/site',
        label: 'Site',
        title: 'Manage Site',
        about: 'Who sells, pick-up, what delivery costs, partners and the words of pages, with their history',
        icon: 'site',
        needs: 'site:write',
      },
      {
        path: '/manage/staff',
        label: 'Staff',
        title: 'Manage Staff',
        about: 'Who works at the desk, and what each may do there',
        icon: 'user',
        needs: 'admin',
      },
      {
        path: '/manage/mail',
        label: 'Mail',
        title: 'Manage Mail',
        about: 'Emails that could not be delivered',
        icon: 'mail',
        needs: 'site:write',
        waits: 'emails',
      },
      {
        path: '/manage/key',
        label: 'Keys',
        title: 'Manage Key',
        about: 'Which machines may do what with the shop’s API',
        icon: 'key',
        needs: 'admin',
      },
      {
        path: '/manage/webhook',
        label: 'Webhooks',
        title: 'Webhooks',
        about: 'Which machines are told what changed, and what they answered',
        icon: 'webhook',
        needs: 'admin',
      },
      {
        path: '/manage/health',
        label: 'Health',
        title: 'Health',
        about: 'The ledger, and the parts that the shop runs on',
        icon: 'health',
        needs: 'site:write',
      },
      {
        path: '/manage/backup',
        label: 'Backups',
        title: 'Backups',
        about: 'The whole shop in one file: made, downloaded, and tried',
        icon: 'backup',
        needs: 'admin',
      },
    ],
  },
]

const screens = deskGroups.flatMap((group) => group.screens)

/** Is this screen for whoever is looking? The rail and the palette lead nowhere that answers 403. */
export const isFor = (viewer: Viewer, { needs }: Pick<DeskScreen, 'needs'>): boolean =>
  needs === 'staff'
    ? worksAtDesk(viewer)
    : needs === 'admin'
      ? viewer?.role === 'ADMIN'
      : mayAtDesk(viewer, needs)

const isPart = (asked: string, shown: URLSearchParams): boolean =>
  [...new URLSearchParams(asked)].every(([name, value]) => shown.get(name) === value)

/** The screen of the table that an address belongs to: the one that names most of it. */
export function screenAt(pathname: string, search: string): DeskScreen | undefined {
  const shown = new URLSearchParams(search)
  const fits = ({ path }: DeskScreen): boolean => {
    const [screen = '', asked = ''] = path.split('?')
    const isBelow = screen !== '/manage' && pathname.startsWith(`${screen}/`)
    return (pathname.replace(/\/$/, '') === screen || isBelow) && isPart(asked, shown)
  }
  return screens.filter(fits).sort((a, b) => b.path.length - a.path.length)[0]
}

/** The screen that is shown. */
export function useShownScreen(): DeskScreen | undefined {
  const { pathname, search } = useLocation()
  return screenAt(pathname, search)
}
