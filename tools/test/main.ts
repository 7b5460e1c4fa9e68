// The test suite: tools/test.mjs runs it under the pinned Node, in the project's folder.
import { join } from 'node:path'
import { buildPages, buildServer } from '../builds.ts'
import { fromRoot, log, runScript, UserError } from '../script.mjs'
import { runChecks } from './checks.ts'
import { endAllCommands } from './command.ts'
import { chromium, findProgram, mosquitto } from './find-program.ts'
import { type Options, readOptions } from './options.ts'
import { startPostgres } from './private-postgres.ts'
import { beginSampleShop, isWorthSampleShop, type SampleShop } from './sample-shop.ts'
import { type TestStage, testFiles } from './stages.ts'
import { closingLines, emptyTally, type Tally } from './tally.ts'
import { runTestFiles } from './test-files.ts'
import { testGroups } from './test-groups.ts'

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, endAllCommands)

// Processes share compiled code: most of a test file's start is the same in all of them.
process.env.NODE_COMPILE_CACHE ??= fromRoot('.runtime', 'compile-cache')

await runScript(async () => {
  const options = readOptions(process.argv.slice(2))
  const tally = emptyTally()
  const checks = options.stages.filter((stage) => stage === 'types' || stage === 'lint' || stage === 'unused')
  for (const stage of checks) await runChecks(stage, tally)
  const sample = await sampleShop(options, tally)
  try {
    for (const stage of options.stages)
      if (stage === 'unit' || stage === 'contract' || stage === 'browser')
        await runTests(stage, options, tally, sample)
  } finally {
    await sample?.remove()
  }
  if (tally.timings.length === 0 && tally.failed === 0 && options.paths.length > 0)
    throw new UserError(`No test file's path begins with ${options.paths.join(' or ')}.`)
  process.stdout.write(`${closingLines(tally).join('\n')}\n`)
  return tally.failed === 0 && tally.passed > 0 ? 0 : 1
})

/** Starts making the sample shop that browser journeys copy, if many of them are selected. */
async function sampleShop(options: Options, tally: Tally): Promise<SampleShop | undefined> {
  if (!options.stages.includes('browser') || !isWorthSampleShop(testFiles('browser', options)))
    return undefined
  const env = await builtShop(tally)
  return env && beginSampleShop(env)
}

/** The environment variables of the built pages and server; undefined: the build failed. */
async function builtShop(tally: Tally): Promise<NodeJS.ProcessEnv | undefined> {
  const pages = await built('the pages are built', buildPages, tally)
  if (pages === undefined) return undefined
  const server = await built('the server is built', buildServer, tally)
  if (server === undefined) return undefined
  return { ...process.env, WEB_DIST: pages, SERVER_PROGRAM: join(server, 'main.js') }
}

/** Sets SAMPLE_SHOP when it is complete. Without it every shop of a journey has a first start of its own. */
async function addSampleShop(env: NodeJS.ProcessEnv, sample: SampleShop, tally: Tally): Promise<void> {
  const made = await sample.made()
  if ('folder' in made) env.SAMPLE_SHOP = made.folder
  else fail('a sample shop is made', made.why, tally)
}

/** Sets up what the stage's tests need, runs them, and tears it down. */
async function runTests(
  stage: TestStage,
  options: Options,
  tally: Tally,
  sample: SampleShop | undefined,
): Promise<void> {
  const files = testFiles(stage, options)
  if (files.length === 0) return
  log(`${stage}: ${files.length} test files`)
  const env = { ...process.env }
  if (stage === 'contract' || options.quick) return runTestFiles(testGroups(files), env, tally)
  if (stage === 'browser') {
    const shop = await builtShop(tally)
    if (shop === undefined) return skip(files, 'the shop could not be built', tally)
    Object.assign(env, shop)
    const browser = await findProgram(chromium)
    if ('why' in browser) return skip(files, browser.why, tally)
    env.CHROMIUM = browser.path
    if (sample !== undefined) await addSampleShop(env, sample, tally)
  } else if (sample !== undefined) Object.assign(env, await builtShop(tally))
  else {
    const pages = await built('the pages are built', buildPages, tally)
    if (pages !== undefined) env.WEB_DIST = pages
  }
  if (files.some((file) => file.startsWith('server/src/mqtt/'))) await addMosquitto(env, tally)
  await withPostgres(env, tally, () => runTestFiles(testGroups(files), env, tally))
}

/** Builds what is out of date and returns its folder. A failed build counts as one failure. */
async function built(what: string, build: typeof buildPages, tally: Tally): Promise<string | undefined> {
  try {
    return await build()
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    if (!tally.failures.includes(what)) fail(what, error.message, tally)
    return undefined
  }
}

function fail(what: string, why: string, tally: Tally): void {
  tally.failed += 1
  tally.failures.push(what)
  log(why)
}

function skip(files: readonly string[], reason: string, tally: Tally): void {
  for (const file of files) tally.skips.push({ file, name: 'the whole file', reason })
}

/** Sets MOSQUITTO: an external MQTT broker for tests, beside the embedded one. */
async function addMosquitto(env: NodeJS.ProcessEnv, tally: Tally): Promise<void> {
  const broker = await findProgram(mosquitto)
  if ('path' in broker) env.MOSQUITTO = broker.path
  else tally.missing.push(`readings from a real outside broker: ${broker.why}`)
}

/** Sets TEST_DATABASE_URL for `work`: the caller's, or a private server that is stopped at the end. */
async function withPostgres(env: NodeJS.ProcessEnv, tally: Tally, work: () => Promise<void>): Promise<void> {
  if (env.TEST_DATABASE_URL) return work()
  const postgres = await startPostgres()
  if ('why' in postgres) {
    tally.missing.push(`the database on PostgreSQL (the embedded one was tested): ${postgres.why}`)
    return work()
  }
  env.TEST_DATABASE_URL = postgres.url
  try {
    await work()
  } finally {
    await postgres.stop()
  }
}
