import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { addressesOf } from '#server/config/postgres-address.ts'

/** How long a host may take to say whether it takes writes, and the pause before all are asked again. */
const ANSWER_MS = 3_000
const PAUSE_MS = 500

/** None of the hosts takes writes: each is a standby, or does not answer. */
export class NoPrimary extends Error {
  constructor(errors: readonly unknown[]) {
    super('None of the hosts takes writes now.', {
      cause: errors.find((error) => !(error instanceof Standby)),
    })
    this.name = 'NoPrimary'
  }
}

class Standby extends Error {}

/**
 * Which of the hosts of a database is the primary. It is looked for where a connection fails or turns out to be read-only,
 * in the background and until one is found: what connects meanwhile fails as after any cut, and is tried again by whoever
 * wants it. With one host there is nothing to find.
 */
export class Primary {
  readonly addresses: readonly string[]
  readonly #closed = new AbortController()
  #address: string
  #looking: Promise<void> | undefined

  /** @throws Error as `addressesOf` */
  constructor(url: string) {
    this.addresses = addressesOf(url)
    this.#address = this.addresses[0] ?? ''
  }

  /** Where to connect to. */
  get address(): string {
    return this.#address
  }

  /** Finds it now. @throws NoPrimary */
  async find(): Promise<void> {
    if (this.addresses.length === 1) return
    const asked = this.addresses.map(async (address) => {
      if (!(await takesWrites(address))) throw new Standby(new URL(address).host)
      return address
    })
    this.#address = await Promise.any(asked).catch(({ errors }: AggregateError) => {
      throw new NoPrimary(errors)
    })
  }

  /** Something that was sent there failed: it may be another one now. */
  readonly doubt = (): void => {
    if (this.addresses.length > 1 && !this.#closed.signal.aborted) this.#looking ??= this.#look()
  }

  async close(): Promise<void> {
    this.#closed.abort()
    await this.#looking
  }

  async #look(): Promise<void> {
    const { signal } = this.#closed
    while (!signal.aborted && !(await this.#isFound()))
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined)
    this.#looking = undefined
  }

  #isFound(): Promise<boolean> {
    return this.find().then(
      () => true,
      () => false,
    )
  }
}

/** Clients for a pool, each of which connects to what is the primary by then, and doubts it where that fails. */
export const clientOf = (primary: Primary): typeof pg.Client =>
  class extends pg.Client {
    constructor(config: pg.ClientConfig) {
      super({ ...config, connectionString: primary.address })
    }

    override connect(): Promise<pg.Client>
    override connect(callback: Connected): void
    override connect(callback?: Connected): Promise<pg.Client> | undefined {
      if (callback === undefined)
        return super.connect().catch((error: unknown) => {
          primary.doubt()
          throw error
        })
      super.connect((error: Error | null) => {
        if (error) primary.doubt()
        ;(callback as (error: Error | null, client: pg.Client) => void)(error, this)
      })
      return undefined
    }
  }

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void)

/** Asks the primary on a connection of its own whether it answers within so many milliseconds. Concurrent callers ask once. */
export function answersAt(primary: Primary): (ms: number) => Promise<boolean> {
  let asked: Promise<boolean> | undefined
  return (ms) => {
    asked ??= takesWrites(primary.address)
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        asked = undefined
      })
    // As for one's own session: a busy process must not take its own delay for silence.
    const late = sleep(ms).then(() => setImmediate(false))
    return Promise.race([asked, late])
  }
}

/** Can the server at this address be written to? @throws where it can't be asked */
export async function takesWrites(address: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  })
  client.on('error', () => undefined) // the query that fails reports it
  try {
    await client.connect()
    const { rows } = await client.query<{ writes: boolean }>(
      `select not pg_is_in_recovery() and current_setting('default_transaction_read_only') = 'off' as writes`,
    )
    return rows[0]?.writes === true
  } finally {
    await client.end()
  }
}
