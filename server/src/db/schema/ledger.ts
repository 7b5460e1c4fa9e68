import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { moment } from './columns.ts'

/** Every transaction that we signed, stored before it is sent, so that a retry sends the same one. */
export const chainTransactions = pgTable(
  'chain_transactions',
  {
    hash: text().primaryKey(),
    chainId: integer().notNull(),
    nonce: integer().notNull(),
    raw: text().notNull(),
    kind: text({ enum: ['deploy', 'anchor'] }).notNull(),
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
  /** Index of our first anchor: what `count()` was when this database first used the contract. */
  firstIndex: integer().notNull().default(0),
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

/** The leaves of an anchor's tree, in leaf order. Of older anchors, only those that proofs need are retained. */
export const anchorLeaves = pgTable(
  'anchor_leaves',
  {
    anchorIndex: integer()
      .notNull()
      .references(() => anchors.index),
    leafIndex: integer().notNull(),
    boxId: text().notNull(),
    count: integer().notNull(),
    head: text().notNull(),
    sealed: boolean().notNull(),
    /** Inclusion path as hex, 64 characters per hash, for boxes with new records; else null. */
    path: text(),
  },
  (t) => [
    primaryKey({ columns: [t.anchorIndex, t.leafIndex] }),
    index().on(t.boxId, t.anchorIndex),
    index('anchor_leaves_without_path').on(t.anchorIndex).where(sql`path is null`),
  ],
)
