import type { ApiKeyView } from '../api-key.ts'
import type { CategoryView, ProductView } from '../catalogue.ts'
import type { Role, Status } from '../status.ts'
import type { Paged } from './box-api.ts'

/** What lists of managers are asked for; everything stands in the page's address. */
export type ManageQuery = {
  page?: number
  size?: number
  q?: string
  status?: Status
  /** Category id, for products. */
  category?: string
  sort?: string
  dir?: 'asc' | 'desc'
}

/** `version` goes back with a change, so that nothing that somebody else wrote is overwritten unseen. */
type Managed = { version: number; updatedAt: string }

export type ManagedUser = Managed & {
  _id: string
  fname: string
  lname: string
  email: string
  phone: string
  role: Role
  status: Status
  createdAt: string
}
export type ManagedCategory = CategoryView & Managed & { products: number }
/** `box` of the public view is left out; `boxes` are the links. */
export type ManagedProduct = Omit<ProductView, 'box'> &
  Managed & { categoryTitle: string; boxes: { boxID: string; quantity: number }[] }

/** 'at sea', 'on the road', 'at market': by the newest position; 'sealed' ends a history. */
export type BoxStage = 'registered' | 'at sea' | 'on the road' | 'at market' | 'sealed'
export type ManagedBox = {
  boxID: string
  species: string
  trader: string
  stage: BoxStage
  records: number
  /** Records that no confirmed anchor covers. */
  pending: number
  alerts: { kind: string; words: string }[]
  caughtAt: string | null
  /** null: it can't be read, the row is damaged. */
  updatedAt: string | null
  products: { _id: string; title: string; quantity: number }[]
  sample: boolean
}

/**
 * Kinds of records whose `by` is the account or key that made them, as histories of changes name it. Of the others it
 * is who or what the submitted data names.
 */
export const kindsByUs = ['freshness', 'correction', 'seal'] as const

/** A box with the names of those who made its records of `kindsByUs`, by what the records call them. */
export type ManagedBoxDetail = ManagedBox & { makers: Record<string, string> }

/** A letter that could not be handed over so far. What is in it stays sealed. Moments are RFC 3339. */
export type HeldMail = {
  _id: string
  to: string
  /** What kind of letter it is, in words. */
  letter: string
  askedAt: string
  /** Since it was queued, or sent again by hand. */
  tries: number
  /** Why the last try failed, in words. */
  lastError: string
  /** 'due' is tried at once, 'waiting' at `nextTryAt`, 'given up' not again by itself. */
  state: 'sending' | 'due' | 'waiting' | 'given up'
  nextTryAt: string | null
  /** The link in it has ended, so it is not sent any more. */
  expired: boolean
}

/** What the history of changes tells apart. */
export const changedEntities = ['user', 'category', 'product', 'box', 'mail', 'key'] as const

/** One change that somebody made: shown, never edited. `who` is a name, or what a key is called. */
export type Change = {
  id: number
  who: string
  entity: (typeof changedEntities)[number]
  entityId: string
  action: 'create' | 'update' | 'delete'
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  happenedAt: string
}

/** What a product may be put into. */
export type CategoryChoice = Pick<ManagedCategory, '_id' | 'title'>

/** Something that wants a person, with where to go. */
export type Attention = { kind: string; count: number; words: string; href: string }

export type LedgerHealth = {
  reachable: boolean
  blockNumber: number | null
  pendingRecords: number
  lastAnchorAt: string | null
  lagS: number
  fault: string | null
}

/** A product that a bulk change has made different, in its new version. `change` is what undoes it. */
export type BulkChanged = Pick<ManagedProduct, '_id' | 'version' | 'status' | 'stock' | 'price'> & {
  change: number
}

/** What undoing changes has come to: `left` are ids of products that were changed since, or are gone. */
export type Undone = { rows: BulkChanged[]; left: string[] }

/** What an import of CSV would change, or has changed. Lines count from 1, the header being line 1. */
export type ImportReport = {
  created: number
  changed: number
  unchanged: number
  rows: {
    line: number
    _id: string | null
    title: string
    diff: Record<string, { from: unknown; to: unknown }>
  }[]
  bad: { line: number; path: string; message: string }[]
  /** False for a preview, and when bad rows kept everything from being written. */
  applied: boolean
}

/** What pages of managers read. Everything here needs ADMIN: `auth.required` or `auth.forbidden` without. */
export interface ManageApi {
  manageUsers(query: ManageQuery): Promise<Paged<ManagedUser>>
  manageCategories(query: ManageQuery): Promise<Paged<ManagedCategory>>
  manageProducts(query: ManageQuery): Promise<Paged<ManagedProduct>>
  manageBoxes(query: ManageQuery & { stage?: BoxStage | 'alerts' }): Promise<Paged<ManagedBox>>
  /** @throws ShopError `box.not_found` */
  manageBox(boxID: string): Promise<ManagedBoxDetail>
  /** Every category, by shelf. */
  categoryChoices(): Promise<CategoryChoice[]>
  history(query: { entity: Change['entity']; id?: string; page?: number }): Promise<Paged<Change>>
  attention(): Promise<Attention[]>
  heldMail(query: Pick<ManageQuery, 'page'>): Promise<Paged<HeldMail>>
  /** All keys of machines, newest first, revoked ones too. */
  keys(): Promise<ApiKeyView[]>
  ledgerHealth(): Promise<LedgerHealth>
}
