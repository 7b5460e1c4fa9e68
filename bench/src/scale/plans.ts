import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../../server/src/db/client.ts'
import { sized } from '../sized.ts'

/** Tables that grow for as long as a shop is open: no page reads one from end to end. Products, slots and staff are bounded. */
const growing = new Set(
  `orders order_contacts order_lines order_line_boxes order_events payments complaints
   boxes box_search records anchor_leaves map_nodes removed_map_nodes excursions field_entries device_boxes
   users favourites stock_notices changes events notice_deliveries webhook_messages
   sales_parts sales_sums box_sums`.split(/\s+/),
)

/** Parameters of a server that writes down the plan of each statement with the rows that it read, once it is asked to. */
export const planParameters = [
  'session_preload_libraries=auto_explain',
  'auto_explain.log_analyze=on',
  'auto_explain.log_timing=off',
  'auto_explain.log_format=json',
  'auto_explain.log_nested_statements=on',
  // A small table is read from end to end rather than by an index: only where there is no index for it, then.
  ...sized([], ['enable_seqscan=off']),
]

/** Of EXPLAIN (FORMAT JSON). Source: PostgreSQL, explain.c. */
type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Index Cond'?: string
  'Recheck Cond'?: string
  Plans?: Node[]
}
type Logged = { 'Query Text': string; Plan: Node }

/** A statement that reads more of a growing table than a page needs. */
export type Scan = Read & { statement: string }
type Read = { table: string; rows: number; how: string; isAsked: boolean }

/** Of what ran since it was asked last. `most`: rows of a growing table that one part of a plan read. */
export type Found = { scans: Scan[]; statements: number; most: number }

/** Rows of a growing table that one part of a plan may read: as many as a list counts, and some. */
const MOST_ROWS = 10_500
/** The same of rows that an index was asked for: of a small table a plan may well ask for most. */
const MOST_ASKED = sized(MOST_ROWS, Number.POSITIVE_INFINITY)

/** The same of rows that are read in the order in which they lie, which is no fault where few are wanted. */
const MOST_IN_A_ROW = sized(MOST_ROWS, -1)

/** The server's log, and what it says of plans. */
export function planLog() {
  let log = ''
  const plans = (): Logged[] => {
    const found = [...log.matchAll(/ plan:\n((?:\t.*\n)+)/g)].map(
      ([, text = '']) => JSON.parse(text.replaceAll(/^\t/gm, '')) as Logged,
    )
    log = ''
    return found
  }
  return {
    heard: (text: string): void => {
      log += text
    },
    /** Sessions begin or end to write plans with their next statement. */
    turn: async (db: Db, on: boolean): Promise<void> => {
      await db.execute(`alter system set auto_explain.log_min_duration = ${on ? 0 : -1}`)
      await db.execute('select pg_reload_conf()')
      await sleep(500)
      log = ''
    },
    scans: async (): Promise<Found> => {
      await sleep(100) // until what was written is read
      const all = plans()
      const read = all.flatMap(({ Plan, 'Query Text': statement }) =>
        readsOf(Plan).map((one) => ({ ...one, statement })),
      )
      return {
        scans: read.filter(
          ({ how, rows, isAsked }) =>
            (how === 'Seq Scan' && rows > MOST_IN_A_ROW) || rows > (isAsked ? MOST_ASKED : MOST_ROWS),
        ),
        statements: all.length,
        most: Math.max(0, ...read.map(({ rows }) => rows)),
      }
    },
  }
}

/** What a plan read of growing tables; parts that were not needed read nothing. */
function readsOf(node: Node): Read[] {
  const { Plans = [], 'Node Type': how, 'Relation Name': table = '', 'Actual Loops': loops = 0 } = node
  const each =
    (node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0)
  const isAsked = node['Index Cond'] !== undefined || node['Recheck Cond'] !== undefined
  const own =
    growing.has(table) && loops > 0 && how.includes('Scan')
      ? [{ table, how, rows: each * loops, isAsked }]
      : []
  return [...own, ...Plans.flatMap(readsOf)]
}
