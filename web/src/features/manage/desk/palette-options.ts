import type { FoundAtDesk } from '@befaqt/domain/api/desk-api'
import type { Viewer } from '@befaqt/domain/api/site-api'
import { mayAtDesk } from '@befaqt/domain/rights'
import type { Find } from '#web/forms/recent-finds.ts'
import { stateLabels } from '../order/order-parts.tsx'
import { managedBoxPath, managedOrderPath, personPath } from '../paths.ts'
import type { DeskIcon } from './desk-icon.tsx'
import { type DeskScreen, deskGroups, isFor } from './screens.ts'

/** Something that can be chosen in the palette. */
export type Option = Find & { icon: DeskIcon; note: string }

export type OptionGroup = { name: string; options: readonly Option[] }

const plain = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** Parts of screens that the palette leads to as well. */
const deskCommands: readonly Omit<DeskScreen, 'title' | 'waits'>[] = [
  {
    path: '/manage/order?status=decide',
    label: 'Orders to decide',
    about: 'What a recall or a stopped sale took from an order',
    icon: 'order',
    needs: 'order:write',
  },
  {
    path: '/manage/order?status=waiting',
    label: 'Large first orders',
    about: 'Waiting to be confirmed',
    icon: 'order',
    needs: 'order:write',
  },
  {
    path: '/manage/order?status=all',
    label: 'All orders',
    about: 'Completed and cancelled ones, too',
    icon: 'order',
    needs: 'order:read',
  },
  {
    path: '/manage/product?status=ACTIVE&sort=stock&dir=asc',
    label: 'Stock that runs out',
    about: 'Products on sale, the least first',
    icon: 'product',
    needs: 'shop:write',
  },
  {
    path: '/manage/box?stage=alerts',
    label: 'Boxes with alerts',
    about: 'Excursions, silences, jumps',
    icon: 'box',
    needs: 'box:write',
  },
  { path: '/', label: 'View shop', about: 'As shoppers see it', icon: 'today', needs: 'staff' },
  {
    path: '/user/profile',
    label: 'My Profile',
    about: 'Name, password, second factor, sessions',
    icon: 'user',
    needs: 'staff',
  },
]

/** The screens and commands for whoever looks. */
const placesOf = (viewer: Viewer): Option[] =>
  [...deskGroups.flatMap(({ screens }) => screens), ...deskCommands]
    .filter((screen) => isFor(viewer, screen))
    .map(({ path, label, about, icon }) => ({ href: path, words: label, icon, note: about }))

/** Most screens that are shown for what is typed: what was found in the shop stands below. */
const MAX_PLACES = 5
/** As many of a kind as the shop finds at once: there may be more. */
const MANY = 5

/** The screens and commands that have all the words, those first whose name begins with them. */
function placesFor(text: string, places: readonly Option[]): Option[] {
  const words = plain(text).split(/\s+/)
  const fits = ({ words: name, note }: Option): boolean =>
    words.every((word) => plain(`${name} ${note}`).includes(word))
  const begins = ({ words: name }: Option): number => (plain(name).startsWith(plain(text)) ? 0 : 1)
  return places
    .filter(fits)
    .toSorted((a, b) => begins(a) - begins(b))
    .slice(0, MAX_PLACES)
}

/** The list that has all of a kind that a search finds, where the palette shows as many as it can. */
const rest = (shown: readonly Option[], href: string, words: string, text: string): Option[] => {
  const [first] = shown
  if (first === undefined || shown.length < MANY) return []
  const to = `${href}${new URLSearchParams({ q: text })}`
  return [{ href: to, words, icon: first.icon, note: `All with “${text}”` }]
}

function foundGroups(
  text: string,
  { orders, products, boxes, people }: FoundAtDesk,
  viewer: Viewer,
): OptionGroup[] {
  const listed = {
    orders: orders.map(
      ({ _id, number, status, buyer }): Option => ({
        href: managedOrderPath(_id),
        words: number,
        icon: 'order',
        note: [buyer, stateLabels[status]].filter(Boolean).join(', '),
      }),
    ),
    products: products.map(
      ({ title, status, shelfPos }): Option => ({
        href: `/manage/product?${new URLSearchParams({ q: title })}`,
        words: title,
        icon: 'product',
        note: [`shelf ${shelfPos}`, status !== 'ACTIVE' && status].filter(Boolean).join(', '),
      }),
    ),
    boxes: boxes.map(
      ({ boxID, species, recalled }): Option => ({
        href: managedBoxPath(boxID),
        words: boxID,
        icon: 'box',
        note: [species, recalled && 'recalled'].filter(Boolean).join(', '),
      }),
    ),
    people: people.map(
      (person): Option => ({
        href: personPath(person, viewer),
        words: person.name,
        icon: 'user',
        note: [person.email, person.role !== 'USER' && person.role].filter(Boolean).join(', '),
      }),
    ),
  }
  return [
    {
      name: 'Orders',
      options: [...listed.orders, ...rest(listed.orders, '/manage/order?status=all&', 'More orders', text)],
    },
    {
      name: 'Products',
      options: [...listed.products, ...rest(listed.products, '/manage/product?', 'More products', text)],
    },
    {
      name: 'Boxes',
      options: [...listed.boxes, ...rest(listed.boxes, '/manage/box?', 'More boxes', text)],
    },
    {
      name: 'People',
      options: [
        ...listed.people,
        ...(mayAtDesk(viewer, 'user:write')
          ? rest(listed.people, '/manage/user?', 'More people', text)
          : rest(listed.people, '/manage/customer?', 'More customers', text)),
      ],
    },
  ]
}

/** What the palette shows: without anything typed, what was opened before and all screens. */
export function paletteGroups(
  text: string,
  found: FoundAtDesk | null,
  recent: readonly Find[],
  viewer: Viewer,
): OptionGroup[] {
  const places = placesOf(viewer)
  const before = recent.map((find): Option => ({ ...find, icon: 'slot', note: '' }))
  const all =
    text === ''
      ? [
          { name: 'Opened before', options: before },
          { name: 'Screens', options: places },
        ]
      : [
          { name: 'Screens', options: placesFor(text, places) },
          ...(found ? foundGroups(text, found, viewer) : []),
        ]
  return all.filter(({ options }) => options.length > 0)
}
