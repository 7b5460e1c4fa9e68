import type { FoundPerson } from '@befaqt/domain/api/desk-api'
import type { Viewer } from '@befaqt/domain/api/site-api'
import { mayAtDesk } from '@befaqt/domain/rights'

/** Where one box is managed. */
export const managedBoxPath = (boxID: string): string => `/manage/box/${encodeURIComponent(boxID)}`

/** Where one excursion is worked through. */
export const excursionPath = (id: string): string => `/manage/excursion/${encodeURIComponent(id)}`

/** Where one order is packed and handed out. */
export const managedOrderPath = (id: string): string => `/manage/order/${encodeURIComponent(id)}`

/** Where the orders of a slot are picked and packed. */
export const slotPath = (id: string): string => `/manage/slot/${encodeURIComponent(id)}`

/** Where the orders of a slot are packed one after the other, this one first. */
export const packingPath = (slot: string, order?: string): string =>
  `${slotPath(slot)}/pack${order === undefined ? '' : `?order=${encodeURIComponent(order)}`}`

/** Where one customer is looked at. */
export const customerPath = (id: string): string => `/manage/customer/${encodeURIComponent(id)}`

/** Where a person is looked at who was found: whoever buys as a customer, others as an account, as far as rights lead. */
export const personPath = ({ _id, email, buys }: FoundPerson, viewer: Viewer): string =>
  mayAtDesk(viewer, 'customer:read') && (buys || !mayAtDesk(viewer, 'user:write'))
    ? customerPath(_id)
    : `/manage/user?${new URLSearchParams({ q: email })}`
