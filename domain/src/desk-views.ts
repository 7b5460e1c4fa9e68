/* Views: a list of the desk as somebody narrowed and sorted it, by a name. Free of the schema library: pages ask these, too. */
import type { Right } from './rights.ts'

/** A right at the desk; 'admin': none is enough. */
type DeskRight = Right | 'admin'

/**
 * Lists that can be kept as views: the right that their rows ask for, what of their address a view keeps, and what they can
 * show: the usual columns in their order, of which the first names the row, and more that can be chosen. Where people are
 * searched for, the search is not kept: a name would stay after its owner's data is erased.
 */
const lists = {
  order: {
    right: 'order:read',
    asks: ['status', 'slot', 'day'],
    columns: ['order', 'for', 'buyer', 'total', 'state'],
    more: ['placed'],
  },
  slot: {
    right: 'order:write',
    asks: ['kind', 'when'],
    columns: ['time', 'for', 'orders', 'cutoff', 'state'],
    more: [],
  },
  product: {
    right: 'shop:write',
    asks: ['q', 'status', 'category', 'sort', 'dir'],
    columns: ['product', 'price', 'discount', 'stock', 'shelf', 'status'],
    more: ['origin', 'changed'],
  },
  category: {
    right: 'shop:write',
    asks: ['q', 'status', 'sort', 'dir'],
    columns: ['category', 'description', 'shelf', 'products', 'status'],
    more: ['changed'],
  },
  box: {
    right: 'box:write',
    asks: ['q', 'stage'],
    columns: ['box', 'fish', 'state', 'caught', 'alerts'],
    more: ['changed'],
  },
  excursion: {
    right: 'box:write',
    asks: ['state'],
    columns: ['box', 'what', 'since', 'state'],
    more: ['peak'],
  },
  device: {
    right: 'device:write',
    asks: ['q', 'kind'],
    columns: ['device', 'level', 'state', 'last', 'battery', 'register'],
    more: [],
  },
  tracker: {
    right: 'device:write',
    asks: ['q'],
    columns: ['device', 'service', 'box', 'last', 'message'],
    more: [],
  },
  user: {
    right: 'user:write',
    asks: ['status', 'sort', 'dir'],
    columns: ['name', 'email', 'phone', 'role', 'status'],
    more: ['since'],
  },
  customer: {
    right: 'customer:read',
    asks: [],
    columns: ['name', 'orders', 'bought', 'last'],
    more: [],
  },
  offer: {
    right: 'shop:write',
    asks: ['state'],
    columns: ['code', 'off', 'for', 'when', 'used'],
    more: ['made'],
  },
  supplier: {
    right: 'box:write',
    asks: ['status'],
    columns: ['supplier', 'records', 'boxes', 'status'],
    more: [],
  },
  mail: {
    right: 'site:write',
    asks: [],
    columns: ['email', 'asked', 'why'],
    more: [],
  },
  staff: {
    right: 'admin',
    asks: [],
    columns: ['name', 'job', 'login', 'status'],
    more: [],
  },
  key: {
    right: 'admin',
    asks: [],
    columns: ['key', 'rights', 'boxes', 'made', 'used'],
    more: [],
  },
} as const satisfies Record<
  string,
  { right: DeskRight; asks: readonly string[]; columns: readonly string[]; more: readonly string[] }
>

export type DeskList = keyof typeof lists
export const deskLists = Object.keys(lists) as DeskList[]

/**
 * Parts of the queue whose rows are not orders: each has columns and files of its own, and is kept as a view of the queue.
 * `at`: what its address asks for; `begins`: what every state of it begins with.
 */
const parts = {
  complaint: {
    at: 'status=complaint',
    begins: 'complaint',
    asks: ['state'],
    columns: ['order', 'wrong', 'wished', 'since', 'state'],
    more: ['photos', 'stage'],
  },
  waiting: {
    at: 'status=waiting',
    begins: 'waiting',
    asks: [],
    columns: ['buyer', 'for', 'wants', 'total', 'state'],
    more: ['placed'],
  },
} as const satisfies Record<
  string,
  { at: string; begins: string; asks: readonly string[]; columns: readonly string[]; more: readonly string[] }
>

/** What has columns, and can be had as a file. */
export type ShownList = DeskList | keyof typeof parts
export const shownLists = [...deskLists, ...(Object.keys(parts) as (keyof typeof parts)[])] as const

const shapes = { ...lists, ...parts }

/** What is shown where a list is asked for this: a part of the queue, or the list itself. */
export function shownOf(list: DeskList, asked: { get(name: string): string | null }): ShownList {
  const status = asked.get('status') ?? ''
  const [part] = Object.entries(parts).find(([, { begins }]) => status.startsWith(begins)) ?? []
  return list === 'order' && part !== undefined ? (part as keyof typeof parts) : list
}

/** What an address asks for where nothing narrows what it shows; empty for a list that has its own address. */
export const plainQuery = (shown: ShownList): string =>
  shown in parts ? parts[shown as keyof typeof parts].at : ''

/** What a list can show, as an address names it. */
export type ColumnOf<List extends ShownList> = (typeof shapes)[List]['columns' | 'more'][number]

/** The right that the rows of a list ask for, and so do its views. */
export const rightOfList = (list: DeskList): DeskRight => lists[list].right

/** Views of one list that somebody may keep, and that all together may share. */
export const MAX_VIEWS = 20
/** Characters of a view's name. */
export const MAX_VIEW_NAME = 40
/** Characters of one value of an address that a view keeps. */
const MAX_VALUE = 100
/** Columns that an address may name, and characters of the name of one. */
const MAX_COLUMNS = 20
const MAX_COLUMN = 20

/** What a view of the list keeps of an address: always in one order, so that two that ask for the same are the same text. */
export function viewQuery(list: DeskList, asked: { get(name: string): string | null }): string {
  const values = lists[list].asks.map((name) => {
    return [name, [...(asked.get(name) ?? '').trim()].slice(0, MAX_VALUE).join('')] as const
  })
  const columns = columnsText(shownOf(list, asked), namesIn(asked.get(COLUMNS)))
  const kept = [...values, [COLUMNS, columns] as const]
  return kept
    .flatMap(([name, value]) => (value === '' ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join('&')
}

/** What the export of a list may be narrowed and sorted by. */
export const exportFilters = [
  'q',
  'status',
  'draft',
  'category',
  'sort',
  'dir',
  'slot',
  'day',
  'kind',
  'when',
  'stage',
  'state',
] as const
export type ExportFilter = Partial<Record<(typeof exportFilters)[number], string>>

/** Whether a list is narrowed or sorted by this; what is searched for is, though no view of people keeps it. */
export const isAskedOf = (list: ShownList, name: string): boolean =>
  name === 'q' || name === 'draft' || (shapes[list].asks as readonly string[]).includes(name)

/** In the address of a list: the columns that it shows, in their order, with dots between; without it the usual ones. */
export const COLUMNS = 'cols'

/** Each once. */
const namesIn = (text: string | null): string[] => {
  const names = (text ?? '').split('.').map((name) => [...name.trim()].slice(0, MAX_COLUMN).join(''))
  return [...new Set(names.filter((name) => name !== ''))].slice(0, MAX_COLUMNS)
}

/** What an address says for these columns; empty for the usual ones, so that they are asked for in one way. */
export function columnsText(list: ShownList, names: readonly string[]): string {
  const text = names.join('.')
  return text === shapes[list].columns.join('.') ? '' : text
}

/** Every column that the list can show, the usual ones first. */
export const columnsOfList = (list: ShownList): readonly string[] => [
  ...shapes[list].columns,
  ...shapes[list].more,
]

/**
 * The columns that an address asks for, and what it names that is not there (any more). What names the row is always
 * shown; where nothing is left of what was asked, the usual ones are.
 */
export function columnsAsked(list: ShownList, text: string | null): { shown: string[]; gone: string[] } {
  const { columns } = shapes[list]
  const all = columnsOfList(list)
  const names = namesIn(text)
  const known = names.filter((name) => all.includes(name))
  const gone = names.filter((name) => !all.includes(name))
  if (known.length === 0) return { shown: [...columns], gone }
  return { shown: known.includes(columns[0]) ? known : [columns[0], ...known], gone }
}

/** What two names have in common that differ in case or form alone; no two views of one person and list share it. */
export const viewKey = (name: string): string =>
  name.normalize('NFKC').toUpperCase().toLowerCase().replace(/\s+/g, ' ').trim()
