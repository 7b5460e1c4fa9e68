import { drizzle } from 'drizzle-orm/node-postgres'
import pino from 'pino'
import type { Config } from '#server/config/config.ts'
import { SESSION_PARAMETERS } from '#server/db/postgres.ts'
import { schema } from '#server/db/schema/index.ts'
import { openFileStore } from '#server/files/file-store.ts'
import { readSiteFile } from '#server/site/index.ts'
import { archivesAsked, sayArchives } from './archives.ts'
import { sayChain } from './chain.ts'
import { type Check, type Finding, fault, note, ok, runChecks, type Said, warning } from './finding.ts'
import { askHosts, connectTo, end, type Host, sayGood, sayHosts, saySessions } from './hosts.ts'
import { namedFiles, sayDrill, sayFiles, sayFolder, sayKey } from './places.ts'
import { projectionChecks } from './projections.ts'
import { NotRead, type Reading, readingEmbedded, readingPostgres } from './reading.ts'
import { sayReplica, sayStandbys } from './replicas.ts'
import { sayAnchors, sayJobs, sayMigrations, sayServer } from './rows.ts'
import { sayBroker, sayBucket, sayMail, sayProcess, saySettings } from './services.ts'
import { asksForStamps, sayStamps } from './stamps.ts'
import { sayBackup, sayUpgrade } from './upgrade.ts'

/** How long a check takes at most, and a deep one. */
export const LIMIT_MS = 10_000
export const DEEP_LIMIT_MS = 30 * 60_000
/** A statement of a check; a deep one has as long as its check. */
const STATEMENT_MS = 5_000

export type DoctorWanted = {
  config: Config
  /** Compares what is derived with what it is derived of, and the content of all files. */
  deep: boolean
  deepLimitMs?: number
}

/**
 * Looks at all that a shop depends on, whether it runs or not, and changes nothing: what it finds, with what to do. Rows are
 * read in transactions that the server keeps from writing, or from a copy.
 */
export async function* doctor({
  config,
  deep,
  deepLimitMs = DEEP_LIMIT_MS,
}: DoctorWanted): AsyncGenerator<Finding> {
  const state: { reading?: Reading | undefined; hosts: Host[]; pooler: Host[] } = { hosts: [], pooler: [] }
  const check = (name: string, run: Check['run'], limitMs = LIMIT_MS): Check => ({ name, limitMs, run })
  const { FILES_URL: url } = config
  const store = await openFileStore(config, pino({ level: 'silent' }))
  try {
    yield* runChecks([
      check('settings', async () => saySettings(config)),
      check('folder', () => sayFolder(config.DATA_DIR)),
      check('drill', () => sayDrill(config.DATA_DIR)),
      ...(config.DATABASE_URL === undefined ? [] : serverChecks(config, config.DATABASE_URL, state, check)),
    ])
    yield* runChecks([
      check(
        'reading',
        async () => {
          try {
            state.reading = await opened(config, state.hosts, deep, deepLimitMs)
            return state.reading === undefined
              ? [note('The database is not read.')]
              : [ok('The database can be read.')]
          } catch (error) {
            if (error instanceof NotRead) return [note(error.message)]
            throw error
          }
        },
        deep ? deepLimitMs : LIMIT_MS * 6,
      ),
    ])
    const { reading } = state
    const limitMs = reading?.kind === 'embedded' ? LIMIT_MS * 3 : LIMIT_MS
    if (reading !== undefined) {
      let isShop = false
      yield* runChecks([
        check(
          'migrations',
          async () => {
            const said = await reading.read(STATEMENT_MS, sayMigrations)
            isShop = said.every(({ level }) => level === 'ok')
            return said
          },
          limitMs,
        ),
      ])
      const { DATABASE_READ_URL: replica } = config
      if (reading.kind === 'postgres' && isShop)
        yield* runChecks([
          check('standbys', () => sayStandbys(reading, state.hosts, STATEMENT_MS)),
          ...(replica === undefined ? [] : [check('replica', () => sayReplica(replica, state.hosts))]),
        ])
      if (isShop)
        yield* runChecks([
          check('jobs', () => reading.read(STATEMENT_MS, sayJobs), limitMs),
          check('anchors', () => reading.read(STATEMENT_MS, (tx) => sayAnchors(tx, config)), limitMs),
          ...(asksForStamps(config)
            ? [check('stamps', () => reading.read(STATEMENT_MS, (tx) => sayStamps(tx, config)), limitMs)]
            : []),
          check('key', () => reading.read(STATEMENT_MS, (tx) => sayKey(tx, config.DATA_DIR)), limitMs),
          ...(url === undefined ? [] : [check('bucket', () => sayBucket(url, store), LIMIT_MS * 2)]),
          check(
            'files',
            async (signal) => {
              const named = await reading.read(STATEMENT_MS, namedFiles)
              return sayFiles(named, config, store, deep, signal)
            },
            deep ? deepLimitMs : LIMIT_MS * 3,
          ),
          check(
            'archives',
            async (signal) => sayArchives(await reading.read(STATEMENT_MS, archivesAsked), store, signal),
            LIMIT_MS * 3,
          ),
          check('chain', () => sayChain(config, reading, STATEMENT_MS), LIMIT_MS * 3),
          ...(deep && reading.db !== undefined
            ? projectionChecks({ db: reading.db, files: store }, await readSiteFile(), deepLimitMs)
            : []),
          ...(deep && reading.db === undefined
            ? [
                check('deep', async () => [
                  warning(
                    'What is derived is not compared through a pooler.',
                    'Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.',
                  ),
                ]),
              ]
            : []),
        ])
    }
    yield* runChecks([
      ...(reading === undefined ? [check('chain', () => sayChain(config, undefined, 0), LIMIT_MS * 3)] : []),
      check('mail', () => sayMail(config, LIMIT_MS - 1_000)),
      check('broker', () => sayBroker(config, LIMIT_MS - 1_000)),
      check('process', () => sayProcess(config, LIMIT_MS - 1_000)),
    ])
  } finally {
    await state.reading?.close()
  }
}

/**
 * What a start of this version would do to the shop's database, and whether there is a backup to go back to. Changes nothing.
 * @param from the newest backup, or the folder of the backups
 */
export async function* upgradeCheck(config: Config, from: string | undefined): AsyncGenerator<Finding> {
  const state: { hosts: Host[]; pooler: Host[]; reading?: Reading | undefined } = { hosts: [], pooler: [] }
  const check = (name: string, run: Check['run'], limitMs = LIMIT_MS): Check => ({ name, limitMs, run })
  const upgrade = async (): Promise<Said[]> => {
    state.reading = await opened(config, state.hosts, true, DEEP_LIMIT_MS)
    return state.reading === undefined
      ? [fault('No host of the database answers.', 'See above.')]
      : state.reading.read(STATEMENT_MS, sayUpgrade)
  }
  try {
    const { DATABASE_URL: url } = config
    if (url !== undefined) yield* runChecks([serverCheck(config, url, state, check)])
    yield* runChecks([
      check('folder', () => sayFolder(config.DATA_DIR)),
      check('backup', () => sayBackup(from)),
      check('drill', () => sayDrill(config.DATA_DIR)),
      check('migrations', () => upgrade().catch(sayNotRead), DEEP_LIMIT_MS),
    ])
  } finally {
    await state.reading?.close()
  }
}

function sayNotRead(error: unknown): Said[] {
  if (error instanceof NotRead) return [note(error.message)]
  throw error
}

/** Of a server: what must be right before rows are read through it. */
function serverChecks(
  config: Config,
  url: string,
  state: { hosts: Host[]; pooler: Host[] },
  check: (name: string, run: Check['run']) => Check,
): Check[] {
  const { DATABASE_DIRECT_URL: direct } = config
  return [
    serverCheck(config, url, state, check),
    check('sessions', async () => {
      const [own, shared] = [usable(state.hosts), usable(state.pooler)]
      if (own === undefined) return [note('Not asked: no host answers.')]
      if (direct !== undefined && shared === undefined)
        return [note('Not asked: the pooler does not answer.')]
      return saySessions(own, shared)
    }),
    check('server', async () => {
      const host = usable(direct === undefined ? state.hosts : state.pooler)
      if (host === undefined) return [note('Not asked: no host answers.')]
      const client = await connectTo(host.address, direct === undefined ? SESSION_PARAMETERS : {})
      return sayServer(drizzle(client, { schema, casing: 'snake_case' })).finally(() => end(client))
    }),
  ]
}

/** Asks each host of the database by itself. */
function serverCheck(
  { DATABASE_DIRECT_URL: direct }: Config,
  url: string,
  state: { hosts: Host[]; pooler: Host[] },
  check: (name: string, run: Check['run']) => Check,
): Check {
  return check('database', async () => {
    state.hosts = await askHosts(direct ?? url)
    state.pooler = direct === undefined ? [] : await askHosts(url)
    const said = [
      ...sayHosts(direct === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL', state.hosts),
      ...(direct === undefined ? [] : sayHosts('DATABASE_URL', state.pooler)),
    ]
    return said.length > 0 ? said : [sayGood(state.hosts)]
  })
}

/** The host that takes writes, or the first that answers. */
const usable = (hosts: readonly Host[]): Host | undefined =>
  hosts.find((host) => host.facts?.writes) ?? hosts.find((host) => host.facts !== undefined)

async function opened(
  config: Config,
  hosts: readonly Host[],
  deep: boolean,
  deepLimitMs: number,
): Promise<Reading | undefined> {
  if (config.DATABASE_URL === undefined) return readingEmbedded(config.DATA_DIR, deep)
  const host = usable(hosts)
  if (host === undefined) return undefined
  return readingPostgres(host.address, host.facts?.pooled === true, deep ? deepLimitMs : STATEMENT_MS)
}
