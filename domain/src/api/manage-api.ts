import { z } from 'zod'
import { Account } from '../account.ts'
import type { ApiKeyView } from '../api-key.ts'
import { CategoryView, ProductView } from '../catalogue.ts'
import type { Status } from '../status.ts'
import type { Paged } from './box-api.ts'
import { schemaNames } from './schema-names.ts'

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

/** RFC 3339; null: it can't be read, the row is damaged. */
const moment = z.string().nullable()

/** `version` goes back with a change, so that nothing that somebody else wrote is overwritten unseen. */
const managed = { version: z.int(), updatedAt: moment }

export const ManagedUser = Account.extend({ ...managed, createdAt: moment })
  .strict()
  .register(schemaNames, {
    id: 'ManagedUser',
  })
export type ManagedUser = z.infer<typeof ManagedUser>
export const ManagedCategory = CategoryView.extend({ ...managed, products: z.int() }).register(schemaNames, {
  id: 'ManagedCategory',
})
export type ManagedCategory = z.infer<typeof ManagedCategory>
/** `box` of the public view is left out; `boxes` are the links. */
export const ManagedProduct = ProductView.omit({ box: true })
  .extend({
    ...managed,
    categoryTitle: z.string(),
    boxes: z.array(z.strictObject({ boxID: z.string(), quantity: z.number() })),
  })
  .register(schemaNames, { id: 'ManagedProduct' })
export type ManagedProduct = z.infer<typeof ManagedProduct>

/** 'at sea', 'on the road', 'at market': by the newest position; 'sealed' ends a history. */
const BoxStage = z.enum(['registered', 'at sea', 'on the road', 'at market', 'sealed'])
export type BoxStage = z.infer<typeof BoxStage>
export const ManagedBox = z
  .strictObject({
    boxID: z.string(),
    species: z.string(),
    trader: z.string(),
    stage: BoxStage,
    records: z.int(),
    /** Records that no confirmed anchor covers. */
    pending: z.int(),
    alerts: z.array(z.strictObject({ kind: z.string(), words: z.string() })),
    caughtAt: z.string().nullable(),
    updatedAt: moment,
    products: z.array(z.strictObject({ _id: z.string(), title: z.string(), quantity: z.number() })),
    sample: z.boolean(),
  })
  .register(schemaNames, { id: 'ManagedBox' })
export type ManagedBox = z.infer<typeof ManagedBox>

/** A box with the names of those who made its records of `kindsByAccount`, by what the records call them. */
export const ManagedBoxDetail = ManagedBox.extend({ makers: z.record(z.string(), z.string()) }).register(
  schemaNames,
  { id: 'ManagedBoxDetail' },
)
export type ManagedBoxDetail = z.infer<typeof ManagedBoxDetail>

/** A letter that could not be handed over so far. What is in it stays sealed. Moments are RFC 3339. */
export const FailedEmail = z
  .strictObject({
    _id: z.string(),
    to: z.string(),
    /** What kind of letter it is, in words. */
    letter: z.string(),
    askedAt: z.string(),
    /** Since it was queued, or sent again by hand. */
    tries: z.int(),
    /** Why the last try failed, in words. */
    lastError: z.string(),
    /** 'due' is tried at once, 'waiting' at `nextTryAt`, 'given up' not again by itself. */
    state: z.enum(['sending', 'due', 'waiting', 'given up']),
    nextTryAt: z.string().nullable(),
    /** The link in it has ended, so it is not sent any more. */
    expired: z.boolean(),
  })
  .register(schemaNames, { id: 'HeldMail' })
export type FailedEmail = z.infer<typeof FailedEmail>

/** What the history of changes tells apart. */
export const changedEntities = ['user', 'category', 'product', 'box', 'mail', 'key'] as const

/** One change that somebody made: shown, never edited. `who` is a name, or what a key is called. */
export const Change = z
  .strictObject({
    id: z.int(),
    who: z.string(),
    entity: z.enum(changedEntities),
    entityId: z.string(),
    action: z.enum(['create', 'update', 'delete']),
    before: z.record(z.string(), z.unknown()).nullable(),
    after: z.record(z.string(), z.unknown()).nullable(),
    happenedAt: z.string(),
  })
  .register(schemaNames, { id: 'Change' })
export type Change = z.infer<typeof Change>

/** What a product may be put into. */
export type CategoryChoice = Pick<ManagedCategory, '_id' | 'title'>

/** Something that wants a person, with where to go. */
export const Attention = z
  .strictObject({ kind: z.string(), count: z.int(), words: z.string(), href: z.string() })
  .register(schemaNames, { id: 'Attention' })
export type Attention = z.infer<typeof Attention>

export const LedgerHealth = z
  .strictObject({
    reachable: z.boolean(),
    blockNumber: z.int().nullable(),
    pendingRecords: z.int(),
    lastAnchorAt: z.string().nullable(),
    lagS: z.number(),
    fault: z.string().nullable(),
  })
  .register(schemaNames, { id: 'LedgerHealth' })
export type LedgerHealth = z.infer<typeof LedgerHealth>

/** A product that a bulk change has made different, in its new version. `change` is what undoes it. */
export const BulkChanged = ManagedProduct.pick({
  _id: true,
  version: true,
  status: true,
  stock: true,
  price: true,
})
  .extend({ change: z.int() })
  .register(schemaNames, { id: 'BulkChanged' })
export type BulkChanged = z.infer<typeof BulkChanged>

/** What undoing changes has come to: `left` are ids of products that were changed since, or are gone. */
export const Undone = z
  .strictObject({ rows: z.array(BulkChanged), left: z.array(z.string()) })
  .register(schemaNames, { id: 'Undone' })
export type Undone = z.infer<typeof Undone>

/** What an import of CSV would change, or has changed. Lines count from 1, the header being line 1. */
export const ImportReport = z
  .strictObject({
    created: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    rows: z.array(
      z.strictObject({
        line: z.int(),
        _id: z.string().nullable(),
        title: z.string(),
        diff: z.record(z.string(), z.strictObject({ from: z.unknown(), to: z.unknown() })),
      }),
    ),
    bad: z.array(z.strictObject({ line: z.int(), path: z.string(), message: z.string() })),
    /** False for a preview, and when bad rows kept everything from being written. */
    applied: z.boolean(),
  })
  .register(schemaNames, { id: 'ImportReport' })
export type ImportReport = z.infer<typeof ImportReport>

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
  heldMail(query: Pick<ManageQuery, 'page'>): Promise<Paged<FailedEmail>>
  /** All keys of machines, newest first, revoked ones too. */
  keys(): Promise<ApiKeyView[]>
  ledgerHealth(): Promise<LedgerHealth>
}
