import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { addressesOf } from '#server/config/postgres-address.ts'
import { assertOwnSession, toConnectionError } from '#server/db/connection-error.ts'
import { SESSION_PARAMETERS } from '#server/db/postgres.ts'
import { fault, note, ok, reasonOf, type Said, warning } from './finding.ts'

/** How long a host may take to connect, and to answer. */
const CONNECT_MS = 3_000

/** One of the hosts of an address, and what it says of itself. */
export type Host = {
  address: string
  /** `name:port`, for people. */
  name: string
  /** Undefined: it does not answer, and `why`. */
  facts?: {
    version: number
    versionText: string
    writes: boolean
    standby: boolean
    /** The same on every server that follows another. Undefined where the role may not read it. */
    cluster: string | undefined
    /** By which two addresses are known to lead to the same database. */
    database: string
    /** A pooler answers: it makes up the process ids that it tells. */
    pooled: boolean
    /** Clock of the server less that of this machine, in seconds, to half of `within`. */
    aheadS: number
    withinS: number
  }
  why?: unknown
}

/** Asks every host of an address, at the same time. */
export const askHosts = (url: string): Promise<Host[]> => Promise.all(addressesOf(url).map(askHost))

async function askHost(address: string): Promise<Host> {
  const name = new URL(address).host
  try {
    const client = await connectTo(address)
    try {
      return { address, name, facts: await factsOf(client) }
    } finally {
      end(client)
    }
  } catch (why) {
    return { address, name, why }
  }
}

/** A connection of its own, which gives up soon. */
export async function connectTo(address: string, more: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
    ...more,
  })
  client.on('error', () => undefined) // the query that fails reports it
  await client.connect().catch((error: unknown) => {
    end(client)
    throw error
  })
  return client
}

/** Says goodbye, and does not wait for a server that hangs. */
export const end = (client: pg.Client): void => void client.end().catch(() => undefined)

async function factsOf(client: pg.Client): Promise<NonNullable<Host['facts']>> {
  const before = Date.now()
  const { rows } = await client.query<{
    version: string
    text: string
    writes: boolean
    standby: boolean
    database: string
    pid: number
    clock: number
  }>(
    `select current_setting('server_version_num') as version, current_setting('server_version') as text,
       not pg_is_in_recovery() and current_setting('default_transaction_read_only') = 'off' as writes,
       pg_is_in_recovery() as standby, pg_backend_pid() as pid,
       extract(epoch from clock_timestamp())::float8 * 1000 as clock,
       extract(epoch from pg_postmaster_start_time())::text || ' ' ||
         (select oid from pg_database where datname = current_database())::text as database`,
  )
  const [withinS, middle] = [(Date.now() - before) / 1000, (Date.now() + before) / 2]
  const [row] = rows
  if (row === undefined) throw new Error('It answers nothing.')
  const cluster = await client
    .query<{ id: string }>('select system_identifier::text as id from pg_control_system()')
    .then((answer) => answer.rows[0]?.id)
    .catch(() => undefined)
  return {
    version: Number(row.version),
    versionText: row.text,
    writes: row.writes,
    standby: row.standby,
    cluster,
    database: row.database,
    pooled: 'processID' in client && client.processID !== row.pid,
    aheadS: (row.clock - middle) / 1000,
    withinS,
  }
}

/** Why an address can't be used, without the frame of a message that stops a start. */
function inWords(error: unknown, address: string, setting: string): string {
  const said = toConnectionError(error, address, setting)
  const words = said === error || !(said instanceof Error) ? reasonOf(said) : said.message
  return words.replace(/^Wrong setting\. \w+: /, '').replace(/ The README lists every setting\.$/, '')
}

/** The oldest that is supported. Source: docs of the project, design/scale.md. */
const OLDEST = 150_000
/** More is a clock that is wrong, not a slow answer. */
const MAX_AHEAD_S = 2

/** What is wrong with the hosts that a setting names. */
export function sayHosts(setting: string, hosts: readonly Host[]): Said[] {
  const found: Said[] = []
  const up = hosts.filter((host) => host.facts !== undefined)
  for (const { name, address, why } of hosts.filter((host) => host.facts === undefined)) {
    const reason = inWords(why, address, setting)
    found.push(
      up.length > 0
        ? warning(
            `${setting}: ${name}, one of ${hosts.length} hosts, can't be used: ${reason}`,
            'Nobody notices until it is needed. Correct its name, or bring it back.',
          )
        : fault(
            `${setting}: ${reason}`,
            'Nothing of the shop works without its database: correct the setting, or start it.',
          ),
    )
  }
  const writers = up.filter((host) => host.facts?.writes)
  const clusters = new Set(up.flatMap((host) => host.facts?.cluster ?? []))
  if (clusters.size > 1)
    found.push(
      fault(
        `${setting}: its hosts are of ${clusters.size} different databases, not one and what follows it.`,
        'After a failover the shop would go on in another database. Name only hosts of one.',
      ),
    )
  else if (writers.length > 1)
    found.push(
      fault(
        `${setting}: ${writers.map(({ name }) => name).join(' and ')} both take writes.`,
        'One of them was promoted while the other ran on: stop the wrong one at once.',
      ),
    )
  if (up.length > 0 && writers.length === 0)
    found.push(
      fault(
        `${setting}: ${up.map(({ name }) => name).join(', ')} only takes reads: a standby, or set to read only.`,
        up.length === hosts.length
          ? 'The shop writes. Name the primary too, or all hosts, separated by commas.'
          : 'The shop writes. Bring the primary back, or promote a standby.',
      ),
    )
  for (const { name, facts } of up) {
    if (facts === undefined) continue
    if (facts.version < OLDEST)
      found.push(
        fault(
          `${name} is PostgreSQL ${facts.versionText}.`,
          'The shop needs PostgreSQL 15 or newer: upgrade it.',
        ),
      )
    if (Math.abs(facts.aheadS) > MAX_AHEAD_S + facts.withinS)
      found.push(
        fault(
          `The clock of this machine is ${Math.abs(Math.round(facts.aheadS))} s ${facts.aheadS > 0 ? 'behind' : 'ahead of'} that of ${name}.`,
          'Have both follow a time server (timedatectl): records and orders get wrong times.',
        ),
      )
  }
  return found
}

/** Hosts that are as they should be, in words. */
export const sayGood = (hosts: readonly Host[]): Said =>
  ok(
    hosts
      .map(
        ({ name, facts }) => `${name}: PostgreSQL ${facts?.versionText}${facts?.standby ? ', standby' : ''}`,
      )
      .join('; '),
  )

/** How long a notification takes at most. */
const HEARD_MS = 2_000

/**
 * Does an address give sessions that last, with notifications and locks? And is the pooler in front, if there is one, one
 * that shares its sessions? Sends a notification that nobody waits for.
 */
export async function saySessions(direct: Host, pooler: Host | undefined): Promise<Said[]> {
  const setting = pooler === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'
  const owned = await ownSession(direct.address, setting, pooler === undefined)
  if (owned !== undefined) return [owned]
  const found: Said[] = []
  if (!(await isHeard(direct.address)))
    found.push(
      fault(
        `${setting}: a notification that was sent there is not heard there.`,
        'Open pages and other processes would hear of nothing. Give the address of PostgreSQL itself.',
      ),
    )
  if (pooler === undefined) {
    if (direct.facts?.pooled)
      found.push(
        note(
          'A pooler in session mode answers at DATABASE_URL: it works, and shares no connection of the shop.',
        ),
      )
    return found
  }
  if (direct.facts?.pooled)
    found.push(
      warning(
        'DATABASE_DIRECT_URL: a pooler answers there too, in session mode.',
        'It is one more part that can fail: give the address of PostgreSQL itself.',
      ),
    )
  if (direct.facts?.database !== pooler.facts?.database)
    found.push(
      fault(
        'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases or servers.',
        'Rows would be written in one, and migrations, leadership and notifications be in the other. Correct one.',
      ),
    )
  if (!pooler.facts?.pooled)
    found.push(note('No pooler answers at DATABASE_URL: DATABASE_DIRECT_URL is not needed then.'))
  else if ((await ownSession(pooler.address, 'DATABASE_URL')) === undefined)
    found.push(
      warning(
        'DATABASE_URL: the pooler there is in session mode.',
        'Each connection of the shop keeps one of its own, ten a process: set pool_mode = transaction.',
      ),
    )
  return found
}

/** Why sessions at an address don't last; undefined: they do. */
async function ownSession(address: string, setting: string, asShop = false): Promise<Said | undefined> {
  try {
    await assertOwnSession(() => connectTo(address, asShop ? SESSION_PARAMETERS : {}), setting)
    return undefined
  } catch (error) {
    return fault(
      `${setting}: ${inWords(error, address, setting)}`,
      'The shop does not start with it: see Settings in the README.',
    )
  }
}

async function isHeard(address: string): Promise<boolean> {
  const channel = `befaqt_doctor_${randomUUID().replaceAll('-', '')}`
  const [ear, mouth] = [await connectTo(address), await connectTo(address)]
  try {
    const heard = new Promise<boolean>((resolve) => ear.on('notification', () => resolve(true)))
    await ear.query(`listen ${channel}`)
    await mouth.query(`select pg_notify('${channel}', '')`)
    return await Promise.race([heard, sleep(HEARD_MS, false)])
  } finally {
    end(ear)
    end(mouth)
  }
}
