import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { bytes, moment } from './columns.ts'

/** Every transaction that we signed, stored before it is sent, so that a retry sends the same one. */
export const chainTransactions = pgTable(
  'chain_transactions',
  {
    hash: text().primaryKey(),
    chainId: integer().notNull(),
    nonce: integer().notNull(),
    raw: text().notNull(),
    /** `former`: of the contract of protocol 1. The embedded chain needs them, since each has its block and nonce. */
    kind: text({ enum: ['deploy', 'anchor', 'former'] }).notNull(),
    anchorIndex: integer(),
    /** Block time in seconds: assigned on the embedded chain, observed on networks. */
    blockTime: bigint({ mode: 'number' }),
    blockNumber: bigint({ mode: 'number' }),
    state: text({ enum: ['signed', 'sent', 'confirmed', 'replaced', 'dropped'] }).notNull(),
    createdAt: moment(),
  },
  (t) => [index().on(t.chainId, t.nonce), index().on(t.chainId, t.blockTime), index().on(t.anchorIndex)],
)

/** The contract's address, by chain. */
export const ledgers = pgTable('ledgers', {
  chainId: integer().primaryKey(),
  contract: text().notNull(),
  deployedBy: text(),
  /** Why anchoring stopped until an operator decides, in a sentence; null: no fault. */
  fault: text(),
  createdAt: moment(),
})

/** Anchors that the ledger holds but this database lost: it was restored from an older backup. */
export const ledgerGaps = pgTable('ledger_gaps', {
  firstIndex: integer().primaryKey(),
  lastIndex: integer().notNull(),
  /** Block times of the first and of the last, in seconds. */
  firstTime: bigint({ mode: 'number' }).notNull(),
  lastTime: bigint({ mode: 'number' }).notNull(),
  /** New records in these anchors, as the ledger counts them. */
  records: integer().notNull(),
  createdAt: moment(),
})

/** Anchors of protocol §4. */
export const anchors = pgTable(
  'anchors',
  {
    index: integer().primaryKey(),
    root: text().notNull(),
    boxes: integer().notNull(),
    records: integer().notNull(),
    state: text({ enum: ['collected', 'submitted', 'mined', 'confirmed'] }).notNull(),
    txHash: text(),
    blockNumber: bigint({ mode: 'number' }),
    blockTime: bigint({ mode: 'number' }),
    createdAt: moment(),
    confirmedAt: timestamp({ withTimezone: true }),
  },
  (t) => [index('anchors_on_their_way').on(t.index).where(sql`state <> 'confirmed'`)],
)

/** The states that changed at an anchor, with all that a proof says of a box that grew there. Protocol §5. */
export const anchorLeaves = pgTable(
  'anchor_leaves',
  {
    anchorIndex: integer()
      .notNull()
      .references(() => anchors.index),
    boxId: text().notNull(),
    count: integer().notNull(),
    head: text().notNull(),
    sealed: boolean().notNull(),
    /** Siblings from the leaf up, as hex, 64 characters each. */
    path: text().notNull(),
    /** `before` of the protocol as JSON; null: this is anchor 0, or the box has a leaf in the anchor before. */
    before: text(),
  },
  (t) => [primaryKey({ columns: [t.anchorIndex, t.boxId] }), index().on(t.boxId, t.anchorIndex)],
)

/** Nodes of the box map, of protocol §4. The root of a map is in its anchor. */
export const mapNodes = pgTable(
  'map_nodes',
  {
    /** SHA-256 of `bytes`. */
    value: bytes().primaryKey(),
    bytes: bytes().notNull(),
    /** Index of the anchor that has added it. */
    addedAt: integer().notNull(),
  },
  (t) => [index().on(t.addedAt)],
)

/**
 * Nodes that go once two newer maps are confirmed. In a table of their own, which is only appended to: marking them where
 * they are would write each anew, in every index.
 */
export const removedMapNodes = pgTable(
  'removed_map_nodes',
  {
    value: bytes().notNull(),
    /** Index of the first anchor whose map no longer has it. */
    removedAt: integer().notNull(),
  },
  (t) => [index().on(t.removedAt)],
)

/** Boxes that the next anchor looks at, since their state has changed: triggers on `boxes` write them. */
export const grownBoxes = pgTable(
  'grown_boxes',
  { id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(), boxId: text().notNull() },
  (t) => [index().on(t.boxId)],
)
