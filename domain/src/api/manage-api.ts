import { z } from 'zod'
import { Account } from '../account.ts'
import { CategoryView, ProductView } from '../catalogue.ts'
import type { Status } from '../fields.ts'
import { schemaNames } from '../fields.ts'
import { boxStages } from '../place.ts'
import { Schedule } from '../schedule.ts'

/** The query of managers' lists, as in the page's URL. */
export type ListQuery = {
  page?: number | undefined
  size?: number | undefined
  after?: string | undefined
  before?: string | undefined
  q?: string
  status?: Status
  /** Category id, for products. */
  category?: string
  /** Drafts alone, for products. */
  draft?: '1'
  sort?: string
  dir?: 'asc' | 'desc'
}

/** RFC 3339; null: the row is damaged. */
const moment = z.string().nullable()

/** `version` is sent back with a change, for optimistic locking. */
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
/** How much of a product a box holds; null in a damaged row. */
const StoredQuantity = z.number().nullable()

/** `box` of the public view is left out; `boxes` are the links. `stock` is as it was typed. */
export const ManagedProduct = ProductView.omit({ box: true, saleStopped: true })
  .extend({
    ...managed,
    categoryTitle: z.string(),
    boxes: z.array(z.strictObject({ boxID: z.string(), quantity: StoredQuantity })),
    /** Those of the boxes that are recalled. */
    recalledBoxes: z.array(z.string()),
    /** Those of the boxes that are off sale. */
    offSaleBoxes: z.array(z.string()),
    /** How many want an email when it can be bought again. */
    waiting: z.int(),
    /** What may be sold of `stock` now, by what its boxes hold. */
    sellable: z.number(),
    schedule: Schedule,
    /** INACTIVE, and was never ACTIVE. */
    isDraft: z.boolean(),
  })
  .register(schemaNames, { id: 'ManagedProduct' })
export type ManagedProduct = z.infer<typeof ManagedProduct>

export const ManagedBox = z
  .strictObject({
    boxID: z.string(),
    species: z.string(),
    trader: z.string(),
    stage: z.enum(boxStages),
    recalled: z.boolean(),
    offSale: z.boolean(),
    records: z.int(),
    /** Records that no confirmed anchor covers. */
    pending: z.int(),
    /** Silences, jumps, speeds: as its readings are now. `at`: RFC 3339; null where it is not known yet. */
    alerts: z.array(
      z.strictObject({
        kind: z.string(),
        at: moment,
        words: z.string(),
        seen: z.strictObject({ who: z.string(), at: z.string() }).nullable(),
      }),
    ),
    /** Those that nobody has closed. */
    excursions: z.array(
      z.strictObject({ id: z.string(), text: z.string(), since: z.string(), endedAt: moment }),
    ),
    caughtAt: z.string().nullable(),
    updatedAt: moment,
    /** `unit`: what the quantity counts in. */
    products: z.array(
      z.strictObject({ _id: z.string(), title: z.string(), quantity: StoredQuantity, unit: z.string() }),
    ),
    sample: z.boolean(),
  })
  .register(schemaNames, { id: 'ManagedBox' })
export type ManagedBox = z.infer<typeof ManagedBox>

/** An alert of a box, and whether somebody has seen it. */
export const SeenAlert = z.strictObject({
  kind: z.string().min(1).max(40),
  at: z.iso.datetime('must be a time'),
  seen: z.boolean('must be true or false'),
})
export type SeenAlert = z.infer<typeof SeenAlert>

/** A box with display names for the `by` of its records of `kindsByAccount`. */
export const ManagedBoxDetail = ManagedBox.extend({ makers: z.record(z.string(), z.string()) }).register(
  schemaNames,
  { id: 'ManagedBoxDetail' },
)
export type ManagedBoxDetail = z.infer<typeof ManagedBoxDetail>

/** An email that could not be sent so far. Its content is never returned. Times are RFC 3339. */
export const FailedEmail = z
  .strictObject({
    _id: z.string(),
    to: z.string(),
    /** Label of the kind of email. */
    letter: z.string(),
    askedAt: z.string(),
    /** Attempts since it was queued or retried by hand. */
    tries: z.int(),
    /** Why the last attempt failed, as a sentence. */
    lastError: z.string(),
    /** 'due': tried at once; 'waiting': tried at `nextTryAt`; 'given up': failed for good. */
    state: z.enum(['sending', 'due', 'waiting', 'given up']),
    nextTryAt: z.string().nullable(),
    /** The link in it has expired, so it is no longer sent. */
    expired: z.boolean(),
  })
  .register(schemaNames, { id: 'FailedEmail' })
export type FailedEmail = z.infer<typeof FailedEmail>

/** Kinds of entities in the audit log. */
export const changedEntities = [
  'user',
  'category',
  'product',
  'box',
  'mail',
  'key',
  'webhook',
  'backup',
  'device',
  'supplier',
  'slot',
  'slot-rule',
  'closed-day',
  'coupon',
  'site',
  'staff',
] as const

/** One entry of the audit log. `who` is the name of a person or of a key. */
export const Change = z
  .strictObject({
    id: z.int(),
    who: z.string(),
    entity: z.enum(changedEntities),
    entityId: z.string(),
    action: z.enum(['create', 'update', 'delete']),
    before: z.record(z.string(), z.unknown()).nullable(),
    after: z.record(z.string(), z.unknown()).nullable(),
    /** Null in a damaged row. */
    happenedAt: z.string().nullable(),
  })
  .register(schemaNames, { id: 'Change' })
export type Change = z.infer<typeof Change>

/** A category that a product may be in. */
export type CategoryChoice = Pick<ManagedCategory, '_id' | 'title'>

/** Something that needs attention, with a link. */
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

/** Parts that the shop runs on, needed ones first; `state`: 'ok', or what is wrong. `build`: hash of the sources, if built. */
export const ShopHealth = z
  .strictObject({
    ...{ ok: z.boolean(), parts: z.array(z.strictObject({ name: z.string(), state: z.string() })) },
    runs: z.strictObject({ version: z.string(), build: z.string(), node: z.string() }),
  })
  .register(schemaNames, { id: 'ShopHealth' })
export type ShopHealth = z.infer<typeof ShopHealth>

/** What fields were, and what they are then. */
const FieldChanges = z.record(z.string(), z.strictObject({ from: z.unknown(), to: z.unknown() }))

/** A product changed by a bulk change, with its new version. `change`: id to undo it by. */
export const BulkChanged = ManagedProduct.pick({
  _id: true,
  version: true,
  category_id: true,
  status: true,
  stock: true,
  price: true,
  discount: true,
  schedule: true,
})
  .extend({ change: z.int() })
  .register(schemaNames, { id: 'BulkChanged' })
export type BulkChanged = z.infer<typeof BulkChanged>

/** What a bulk change would change: how many of the products that were chosen, and the first of them. */
export const BulkPreview = z
  .strictObject({
    matched: z.int(),
    changed: z.int(),
    rows: z.array(z.strictObject({ _id: z.string(), title: z.string(), diff: FieldChanges })),
  })
  .register(schemaNames, { id: 'BulkPreview' })
export type BulkPreview = z.infer<typeof BulkPreview>

/** A copy of a product, or one that was made before by the same request. `change`: id to undo it by. */
export const Duplicated = ManagedProduct.pick({ _id: true, title: true })
  .extend({ of: z.string(), change: z.int() })
  .register(schemaNames, { id: 'Duplicated' })
export type Duplicated = z.infer<typeof Duplicated>

/** The result of an undo. `removed`: ids of copies; `left`: of products that were changed since or deleted. */
export const Undone = z
  .strictObject({
    rows: z.array(BulkChanged),
    removed: z.array(z.string()),
    left: z.array(z.string()),
  })
  .register(schemaNames, { id: 'Undone' })
export type Undone = z.infer<typeof Undone>

/** What a CSV import would change, or has changed. Lines count from 1, which is the header. */
export const ImportReport = z
  .strictObject({
    created: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    /** Lines of example, which are left out. */
    examples: z.int(),
    rows: z.array(
      z.strictObject({
        line: z.int(),
        _id: z.string().nullable(),
        title: z.string(),
        diff: FieldChanges,
      }),
    ),
    bad: z.array(
      z.strictObject({
        line: z.int(),
        path: z.string(),
        message: z.string(),
        /** A category that there is not, and the one most like it: sent back as `meant`, it is taken. */
        nearest: z.strictObject({ typed: z.string(), title: z.string() }).optional(),
      }),
    ),
    /** Pictures that products get from the ZIP, those to be fetched from addresses, and names of those that no line names. */
    pictures: z.strictObject({ added: z.int(), linked: z.int(), unused: z.array(z.string()) }),
    /** False for a preview, and when nothing was written because of bad rows. */
    applied: z.boolean(),
  })
  .register(schemaNames, { id: 'ImportReport' })
export type ImportReport = z.infer<typeof ImportReport>

/** Pictures that a file of products names by addresses and that are not there yet: the first of them, given up ones first. */
export const LinkedPictures = z
  .strictObject({
    /** Those that are still tried, and all. */
    waiting: z.int(),
    total: z.int(),
    rows: z.array(
      z.strictObject({
        _id: z.string(),
        product_id: z.string(),
        title: z.string(),
        address: z.string(),
        attempts: z.int(),
        /** Given up. */
        failed: z.boolean(),
        /** Why it is not there; null: it was not tried yet. */
        reason: z.string().nullable(),
      }),
    ),
  })
  .register(schemaNames, { id: 'LinkedPictures' })
export type LinkedPictures = z.infer<typeof LinkedPictures>
