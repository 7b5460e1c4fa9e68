import v8 from 'node:v8'
import { PGlite } from '@electric-sql/pglite'
import { startParams } from '#server/db/embedded.ts'
import type { Session } from './session.ts'

/** Pages of a table that are read at a time: a megabyte of them, and what their long values have elsewhere. */
const PAGES = 128
/** What is written at a time, at least. */
const BATCH_BYTES = 1 << 20

/**
 * V8 compiles what of the engine runs often a second time, for which it takes 500 MB, more than all the rest. A process that
 * opens one for a backup or a restore is over before that pays off. Set before the engine is compiled.
 */
const FLAGS = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']

/** A session on an embedded database that no process has open. Makes it when there is none. */
export async function embeddedSession(folder: string): Promise<Session> {
  for (const flag of FLAGS) v8.setFlagsFromString(flag)
  return sessionOn(await PGlite.create(folder, { startParams }))
}

/** The engine hands over the answer of a whole COPY at once, so tables are read in ranges of their pages. */
export function sessionOn(lite: PGlite): Session {
  const query = async <Row extends Record<string, unknown>>(
    statement: string,
    values?: unknown[],
  ): Promise<Row[]> => {
    if (values !== undefined) return (await lite.query<Row>(statement, values)).rows
    return ((await lite.exec(statement)).at(-1)?.rows ?? []) as Row[]
  }
  return {
    query,
    async *copyOut(table, columns, count) {
      const [size] = await query<{ pages: number }>(
        `select (pg_relation_size('${table.replaceAll("'", "''")}') / 8192)::int as pages`,
      )
      let rows = 0
      for (let page = 0; page < (size?.pages ?? 0); page += PAGES) {
        const range = `ctid >= '(${page},0)' and ctid < '(${page + PAGES},0)'`
        const names = columns.join(', ')
        const read = await lite.query(`copy (select ${names} from ${table} where ${range}) to '/dev/blob'`)
        rows += read.affectedRows ?? 0
        if (read.blob) yield new Uint8Array(await read.blob.arrayBuffer())
      }
      count(rows)
    },
    async copyIn(table, columns, chunks) {
      let rows = 0
      for await (const lines of wholeLines(chunks)) {
        const blob = new Blob([lines])
        const into = `copy ${table} (${columns.join(', ')}) from '/dev/blob'`
        rows += (await lite.query(into, [], { blob })).affectedRows ?? 0
      }
      return rows
    },
    close: () => lite.close(),
  }
}

/** Batches that end with a line: COPY writes each row as one, its own line ends escaped. */
async function* wholeLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let waiting: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    waiting.push(chunk)
    bytes += chunk.length
    if (bytes < BATCH_BYTES) continue
    const all = new Uint8Array(Buffer.concat(waiting))
    const end = all.lastIndexOf(10) + 1
    if (end > 0) yield all.subarray(0, end)
    waiting = [all.subarray(end)]
    bytes = all.length - end
  }
  if (bytes > 0) yield new Uint8Array(Buffer.concat(waiting))
}
