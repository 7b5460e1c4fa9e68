import pg from 'pg'
import { addressesOf } from '#server/config/postgres-address.ts'
import { toConnectionError } from '#server/db/connection-error.ts'
import { Primary } from '#server/db/primary.ts'

/** One connection to a database, with COPY in both directions. Both kinds of database have it. */
export type Session = {
  query<Row extends Record<string, unknown>>(statement: string, values?: unknown[]): Promise<Row[]>
  /** The rows of a table as COPY writes them, without its header: whole rows in any number a chunk. `count` is told at the end. */
  copyOut(table: string, columns: readonly string[], count: (rows: number) => void): AsyncIterable<Uint8Array>
  /** Writes what `copyOut` read; answers the number of rows. */
  copyIn(table: string, columns: readonly string[], chunks: AsyncIterable<Uint8Array>): Promise<number>
  close(): Promise<void>
}

/** How long it takes to connect at most. */
const CONNECT_MS = 10_000
/** What was read and not yet written; above it the server is not read from. */
const MAX_WAITING = 4 << 20

/** As `connected`, with words for the operator when it can't be done. */
export async function postgresSession(url: string): Promise<Session> {
  return connected(url).catch((error: unknown) => {
    throw toConnectionError(error, addressesOf(url)[0] ?? url, 'DATABASE_URL')
  })
}

/**
 * A session of its own on the host that takes writes. Values are written the same way whatever the server's settings are,
 * and nothing ends it for taking long.
 */
async function connected(url: string): Promise<Session> {
  const primary = new Primary(url)
  await primary.find()
  const client = new pg.Client({
    connectionString: primary.address,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
  })
  client.on('error', () => undefined) // the query that fails reports it
  await client.connect().catch(async (error: unknown) => {
    await client.end()
    throw error
  })
  return {
    query: async <Row extends Record<string, unknown>>(statement: string, values?: unknown[]) => {
      const answer: pg.QueryResult<Row> | pg.QueryResult<Row>[] = await client.query<Row>(statement, values)
      return (Array.isArray(answer) ? answer.at(-1) : answer)?.rows ?? []
    },
    async *copyOut(table, columns, count) {
      const out = new CopyOut(`copy ${table} (${columns.join(', ')}) to stdout`)
      client.query(out)
      yield* out.chunks()
      count(out.rows)
    },
    async copyIn(table, columns, chunks) {
      const into = new CopyIn(`copy ${table} (${columns.join(', ')}) from stdin`, chunks)
      client.query(into)
      return into.done
    },
    close: () => client.end(),
  }
}

/** A pooler gives a transaction one session for its length, and none before: so these are set in it. */
export const SETTINGS = `
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = 0;
  set local datestyle = 'ISO'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
  set local extra_float_digits = 1; set local bytea_output = 'hex'; set local client_encoding = 'UTF8';
  set local xmloption = 'content'; set local row_security = off; set local synchronize_seqscans = off;
  set local check_function_bodies = off`

type Complete = { text: string }

/** What pg's types leave out. Source: pg, lib/connection.js. */
type Sending = pg.Connection & {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

/** Tag of a finished COPY: its number of rows. */
const rowsOf = ({ text }: Complete): number => Number(/^COPY (\d+)/.exec(text)?.[1] ?? 0)

/** What node-postgres calls of a query; messages that a COPY does not meet are left out. Source: pg, lib/client.js. */
abstract class Copy implements pg.Submittable {
  readonly statement: string
  rows = 0

  constructor(statement: string) {
    this.statement = statement
  }

  submit(connection: pg.Connection): void {
    this.begun(connection)
    connection.query(this.statement)
  }
  protected begun(_connection: pg.Connection): void {}
  protected abstract ended(error: Error | undefined): void

  handleCommandComplete(message: Complete): void {
    this.rows = rowsOf(message)
  }
  handleReadyForQuery(): void {
    this.ended(undefined)
  }
  handleError(error: Error): void {
    this.ended(error)
  }
}

class CopyOut extends Copy {
  readonly #waiting: Uint8Array[] = []
  #bytes = 0
  #stream: pg.Connection['stream'] | undefined
  #over: { error: Error | undefined } | undefined
  #wake: () => void = () => undefined

  protected override begun(connection: pg.Connection): void {
    this.#stream = connection.stream
  }

  handleCopyData({ chunk }: { chunk: Uint8Array }): void {
    this.#waiting.push(Buffer.from(chunk)) // the parser uses its memory again
    this.#bytes += chunk.length
    if (this.#bytes > MAX_WAITING) this.#stream?.pause()
    this.#wake()
  }

  protected override ended(error: Error | undefined): void {
    this.#over ??= { error }
    this.#wake()
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      if (this.#waiting.length > 0) {
        const all = Buffer.concat(this.#waiting.splice(0))
        this.#bytes = 0
        this.#stream?.resume()
        yield all
      } else if (this.#over) {
        if (this.#over.error) throw this.#over.error
        return
      } else
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
    }
  }
}

class CopyIn extends Copy {
  readonly done: Promise<number>
  readonly #chunks: AsyncIterable<Uint8Array>
  readonly #settle: { resolve: (rows: number) => void; reject: (error: unknown) => void }
  #reason: unknown
  #isOver = false

  constructor(statement: string, chunks: AsyncIterable<Uint8Array>) {
    super(statement)
    this.#chunks = chunks
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    this.done = promise
    this.#settle = { resolve, reject }
  }

  handleCopyInResponse(connection: Sending): void {
    this.#send(connection).catch((error: unknown) => {
      this.#reason = error
      connection.sendCopyFail('the source failed')
    })
  }

  async #send(connection: Sending): Promise<void> {
    for await (const chunk of this.#chunks) {
      if (this.#isOver) return
      connection.sendCopyFromChunk(Buffer.from(chunk))
      while (connection.stream.writableNeedDrain && !this.#isOver) await drained(connection.stream)
    }
    if (!this.#isOver) connection.endCopyFrom()
  }

  protected override ended(error: Error | undefined): void {
    this.#isOver = true
    const failed = this.#reason ?? error
    if (failed) this.#settle.reject(failed)
    else this.#settle.resolve(this.rows)
  }
}

/** Until it takes more, or is closed. */
const drained = (stream: pg.Connection['stream']): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('close', done)
      resolve()
    }
    stream.on('drain', done).on('close', done)
  })
