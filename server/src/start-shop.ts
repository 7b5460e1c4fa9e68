import type { Logger } from 'pino'
import type { Hex } from 'viem'
import { bootstrapAccounts } from './accounts/bootstrap-accounts.ts'
import { checkSecretKey } from './accounts/two-factor/check-secret-key.ts'
import { startAnchoring } from './anchoring/anchor-loop.ts'
import { buildApp } from './app.ts'
import { buildDeps } from './build-deps.ts'
import type { Config } from './config/config.ts'
import { privateDataDir } from './config/data-dir.ts'
import { listen } from './config/listen.ts'
import { openDatabase } from './db/open-database.ts'
import type { Deps } from './deps.ts'
import { type Endings, endings } from './endings.ts'
import { checkFileStore } from './files/check-file-store.ts'
import { serverLimits } from './http/limits/route-limits.ts'
import { backgroundJobs, interactiveJobs } from './job-registry.ts'
import { startWorker } from './jobs/run.ts'
import { startEmbeddedBroker, startExternalBroker } from './mqtt/start-mqtt.ts'
import { closeApp, type Drain, newDrain } from './ops/drain.ts'
import { workerApp } from './ops/ops-routes.ts'
import { builtPages } from './pages/built-pages.ts'
import { loadRenderer } from './pages/renderer.ts'
import { loadSampleWhenPossible } from './sample/load-when-possible.ts'

export type Running = {
  /**
   * Ends everything. @param drainS seconds for which it says that it stops, and serves, before it takes no more
   * @throws Error that says what did not end
   */
  stop(drainS: number): Promise<void>
}
type Print = (text: string) => void

/** Seconds after which a transaction that no block took is signed anew with a higher fee. */
const FEE_BUMP_AFTER_S = 120

/** The whole shop: pages, API, devices, jobs and anchoring. @param print shows a line to the person at the terminal */
export const startShop = (settings: Config, log: Logger, print: Print): Promise<Running> =>
  start(async (ending, drain) => {
    const config = { ...settings, WEB_DIST: builtPages(settings.WEB_DIST) }
    const render = await loadRenderer(config.WEB_DIST)
    const deps = await startBackground(config, log, print, ending)
    ending.add('following the catalogue', await deps.catalogue.follow(deps.database, log))
    const app = await buildApp(deps, render, serverLimits, drain)
    ending.add('HTTP', () => closeApp(app))
    await listen(app, config)
    ending.add('the MQTT broker', await startEmbeddedBroker(deps, print))
  })

/** Jobs and anchoring without pages: any number of these beside the web processes, on one PostgreSQL. */
export const startWork = (config: Config, log: Logger, print: Print): Promise<Running> =>
  start(async (ending, drain) => {
    const deps = await startBackground(config, log, print, ending)
    if (config.WORKER_PORT === undefined) return
    const app = await workerApp(deps, drain)
    ending.add('HTTP', () => closeApp(app))
    await listen(app, { HOST: config.HOST, PORT: config.WORKER_PORT }, 'WORKER_PORT')
  })

/** Runs `begin`; what it started is ended in the reverse order, also when it fails half way. */
async function start(begin: (ending: Endings, drain: Drain) => Promise<void>): Promise<Running> {
  const ending = endings()
  const drain = newDrain()
  try {
    await begin(ending, drain)
  } catch (error) {
    await ending.stop().catch(() => undefined) // why it could not start is what somebody has to know
    throw error
  }
  return { stop: (drainS) => drain.begin(drainS).then(() => ending.stop()) }
}

async function startBackground(config: Config, log: Logger, print: Print, ending: Endings): Promise<Deps> {
  await privateDataDir(config.DATA_DIR, log)
  const database = await openDatabase(config, log)
  ending.add('the database', () => database.close())
  const deps = await buildDeps(config, log, database)
  ending.add('the chain', () => deps.chain.close())
  ending.add('mail', () => deps.mailer.close())
  ending.add('the picture processes', () => deps.images.close())
  await checkFileStore(deps.files, config, log)
  await checkSecretKey(deps.db, deps.secrets, config.DATA_DIR)
  await bootstrapAccounts(deps, database.kind === 'embedded', print)
  if (config.SAMPLE_DATA) ending.add('loading samples', await loadSampleWhenPossible(deps))
  ending.add('jobs', await startWorker(database, interactiveJobs(deps), log))
  ending.add('slow jobs', await startWorker(database, backgroundJobs(deps), log))
  const contract = config.CHAIN_CONTRACT === undefined ? {} : { contract: config.CHAIN_CONTRACT as Hex }
  const { db, chain, now } = deps
  const anchoring = { db, chain, now, log, feeBumpAfterS: FEE_BUMP_AFTER_S, ...contract }
  const loop = startAnchoring(database, anchoring, config.ANCHOR_INTERVAL_S)
  ending.add('anchoring', () => loop.stop())
  ending.add('taking readings', await startExternalBroker(deps))
  return deps
}
