/* Views: a list of the desk as somebody narrowed and sorted it, by a name. Free of the schema library: pages ask these, too. */
import type { Right } from './rights.ts'

/**
 * Lists that can be kept as views: the right that their rows ask for, and what of their address a view keeps. Where people
 * are searched for, the search is not kept: a name would stay after its owner's data is erased.
 */
const lists = {
  order: { right: 'order:read', asks: ['status', 'slot', 'day'] },
  slot: { right: 'order:write', asks: ['kind', 'when'] },
  product: { right: 'shop:write', asks: ['q', 'status', 'category', 'sort', 'dir'] },
  category: { right: 'shop:write', asks: ['q', 'status', 'sort', 'dir'] },
  box: { right: 'box:write', asks: ['q', 'stage'] },
  excursion: { right: 'box:write', asks: ['state'] },
  device: { right: 'device:write', asks: ['q', 'kind'] },
  tracker: { right: 'device:write', asks: ['q'] },
  user: { right: 'user:write', asks: ['status', 'sort', 'dir'] },
} as const satisfies Record<string, { right: Right; asks: readonly string[] }>

export type DeskList = keyof typeof lists
export const deskLists = Object.keys(lists) as DeskList[]

/** The right that the rows of a list ask for, and so do its views. */
export const rightOfList = (list: DeskList): Right => lists[list].right

/** The right that what a view shows asks for: complaints are a part of the queue that asks for more than it does. */
export const rightOfView = ({ list, query }: { list: DeskList; query: string }): Right =>
  list === 'order' && query.includes('status=complaint') ? 'order:write' : rightOfList(list)

/** Views of one list that somebody may keep, and that all together may share. */
export const MAX_VIEWS = 20
/** Characters of a view's name. */
export const MAX_VIEW_NAME = 40
/** Characters of one value of an address that a view keeps. */
const MAX_VALUE = 100

/** What a view of the list keeps of an address: always in one order, so that two that ask for the same are the same text. */
export function viewQuery(list: DeskList, asked: { get(name: string): string | null }): string {
  const kept = lists[list].asks.flatMap((name) => {
    const value = [...(asked.get(name) ?? '').trim()].slice(0, MAX_VALUE).join('')
    return value === '' ? [] : [`${name}=${encodeURIComponent(value)}`]
  })
  return kept.join('&')
}

/** What two names have in common that differ in case or form alone; no two views of one person and list share it. */
export const viewKey = (name: string): string =>
  name.normalize('NFKC').toUpperCase().toLowerCase().replace(/\s+/g, ' ').trim()
