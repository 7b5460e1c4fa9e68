/** Where one box is managed. */
export const managedBoxPath = (boxID: string): string => `/manage/box/${encodeURIComponent(boxID)}`

/** Where one order is packed and handed out. */
export const managedOrderPath = (id: string): string => `/manage/order/${encodeURIComponent(id)}`

/** Where the orders of a slot are picked and packed. */
export const slotPath = (id: string): string => `/manage/slot/${encodeURIComponent(id)}`

/** Where the orders of a slot are packed one after the other, this one first. */
export const packingPath = (slot: string, order?: string): string =>
  `${slotPath(slot)}/pack${order === undefined ? '' : `?order=${encodeURIComponent(order)}`}`

/** Where one customer is looked at. */
export const customerPath = (id: string): string => `/manage/customer/${encodeURIComponent(id)}`
