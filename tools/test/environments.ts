import { join } from 'node:path'
import { buildPages, buildServer } from '../builds.ts'
import { log, UserError } from '../script.mjs'
import { runCommand } from './command.ts'
import {
  chromium,
  deployTools,
  findProgram,
  labelReaders,
  mosquitto,
  type Program,
  pgbouncer,
} from './find-program.ts'
import type { Options } from './options.ts'
import { startPostgres } from './private-postgres.ts'
import { beginSampleShop, isWorthSampleShop } from './sample-shop.ts'
import { type TestStage, testFiles } from './stages.ts'
import type { Tally } from './tally.ts'

/** The environment variables for the tests of a stage; `why`: they can't run, as a sentence. */
export type Environment = { env: NodeJS.ProcessEnv } | { why: string }

/** What the tests of each stage need around them. Use with `await using`: at the end it is stopped and removed. */
export type Environments = AsyncDisposable & {
  /** Waits until it is there. */
  of(stage: TestStage): Promise<Environment>
}

/**
 * Begins to make builds, a sample shop for browser journeys, PostgreSQL, and to look for the programs that the selected
 * tests need. Each counts as a failure in the tally if it can't be made, and is named there if this machine lacks it.
 */
export function beginEnvironments(options: Options, tally: Tally): Environments {
  const disposables = new AsyncDisposableStack()
  const unit = options.stages.includes('unit') ? testFiles('unit', options) : []
  const browser = options.stages.includes('browser') ? testFiles('browser', options) : []
  const startsServers = browser.length > 0 || unit.some((file) => file.startsWith('bench/'))
  const built = once(() => build(startsServers, tally))
  const postgres = once(() => postgresUrl(disposables, tally))
  const made: Record<TestStage, () => Promise<Environment>> = {
    contract: once(async () => ({ env: process.env })),
    unit: once(async () => {
      if (options.quick) return { env: process.env }
      const env = { ...process.env, ...(await built()), ...(await postgres()) }
      if (startsServers) await addProgram(chromium, 'what measures pages in a browser', env, tally)
      if (unit.some((file) => file.startsWith('server/src/mqtt/')))
        await addProgram(mosquitto, 'readings from a real outside broker', env, tally)
      if (unit.some((file) => file.startsWith('server/src/db/')))
        await addProgram(pgbouncer, 'PostgreSQL behind a real connection pooler', env, tally)
      if (unit.some((file) => file.startsWith('server/src/boxes/labels/'))) await addLabelReaders(env, tally)
      if (unit.some((file) => file.startsWith('e2e/house/deploy')))
        for (const program of deployTools)
          await addProgram(program, `files of deploy/ read by ${program.name}`, env, tally)
      return { env }
    }),
    browser: once(async () => {
      const shop = await built()
      if (shop?.SERVER_PROGRAM === undefined) return { why: 'the shop could not be built' }
      const env: NodeJS.ProcessEnv = { ...process.env, ...shop }
      const sample = isWorthSampleShop(browser) ? disposables.use(beginSampleShop(env)) : undefined
      const program = await findProgram(chromium)
      if ('why' in program) return program
      env.CHROMIUM = program.path
      Object.assign(env, await postgres())
      const empty = await runCommand(process.execPath, ['server/src/testing/empty-database.ts'], { env })
      if (empty.status === 0) env.EMPTY_DATABASE = empty.output.trim()
      else fail('an empty database is made', empty.output.trimEnd(), tally)
      const data = await sample?.made()
      if (data !== undefined && 'folder' in data) env.SAMPLE_SHOP = data.folder
      else if (data !== undefined) fail('a sample shop is made', data.why, tally)
      return { env }
    }),
  }
  // Begun before their turn, so that they are made beside the checks and the tests of the other stages.
  if (browser.length > 0) made.browser().catch(() => undefined)
  return { of: (stage) => made[stage](), [Symbol.asyncDispose]: () => disposables.disposeAsync() }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** The built pages and, for journeys, the built server; undefined: a build failed. */
async function build(withServer: boolean, tally: Tally): Promise<NodeJS.ProcessEnv | undefined> {
  const pages = await folderOf('the pages are built', buildPages, tally)
  if (pages === undefined || !withServer) return pages === undefined ? undefined : { WEB_DIST: pages }
  const server = await folderOf('the server is built', buildServer, tally)
  return server === undefined
    ? { WEB_DIST: pages }
    : { WEB_DIST: pages, SERVER_PROGRAM: join(server, 'main.js') }
}

/** Builds what is out of date and returns its folder. A failed build counts as one failure. */
async function folderOf(what: string, make: typeof buildPages, tally: Tally): Promise<string | undefined> {
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    fail(what, error.message, tally)
    return undefined
  }
}

function fail(what: string, why: string, tally: Tally): void {
  tally.failed += 1
  tally.failures.push(what)
  log(why)
}

/** TEST_DATABASE_URL: the caller's, or that of a private server, which is stopped at the end. */
async function postgresUrl(disposables: AsyncDisposableStack, tally: Tally): Promise<NodeJS.ProcessEnv> {
  if (process.env.TEST_DATABASE_URL) return {}
  const postgres = await startPostgres()
  if ('why' in postgres) {
    tally.missing.push(`the database on PostgreSQL (the embedded one was tested): ${postgres.why}`)
    return {}
  }
  disposables.defer(postgres.stop)
  return { TEST_DATABASE_URL: postgres.url }
}

/** Sets the path of a program for tests. @param what is not tested without it */
async function addProgram(
  program: Program,
  what: string,
  env: NodeJS.ProcessEnv,
  tally: Tally,
): Promise<void> {
  const found = await findProgram(program)
  if ('path' in found) env[program.setting] = found.path
  else tally.missing.push(`${what}: ${found.why}`)
}

/** Sets the paths of the programs that read labels. */
async function addLabelReaders(env: NodeJS.ProcessEnv, tally: Tally): Promise<void> {
  for (const program of labelReaders) await addProgram(program, `labels read by ${program.name}`, env, tally)
}
