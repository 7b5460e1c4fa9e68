import type { Logger } from 'pino'
import type { Hex } from 'viem'
import { startAnchoring } from './anchoring/anchor-loop.ts'
import { buildApp } from './app.ts'
import { checkSecretKey } from './auth/check-secret-key.ts'
import { prepareAccounts } from './auth/prepare-accounts.ts'
import { buildDeps } from './build-deps.ts'
import type { Config } from './config.ts'
import { privateDataDir } from './data-dir.ts'
import { openDatabase } from './db/open-database.ts'
import type { Deps } from './deps.ts'
import { type Endings, endings } from './endings.ts'
import { lookAtStore } from './files/look-at-store.ts'
import { promptJobs, slowJobs } from './jobs/handlers.ts'
import { startWorker } from './jobs/run.ts'
import { listen } from './listen.ts'
import { followBroker, openBroker } from './mqtt/start-mqtt.ts'
import { builtPages } from './pages/built-pages.ts'
import { loadRenderer } from './pages/renderer.ts'
import { loadSampleWhenPossible } from './sample/load-when-possible.ts'

export type Running = { stop(): Promise<void> }
type Print = (text: string) => void

/** Seconds after which a transaction that no block took is signed anew with a higher fee. */
const OUTBID_AFTER_S = 120

/** The whole shop: pages, API, devices, jobs and anchoring. @param print shows a line to the person at the terminal */
export const startShop = (settings: Config, log: Logger, print: Print): Promise<Running> =>
  start(async (ending) => {
    const config = { ...settings, WEB_DIST: builtPages(settings.WEB_DIST) }
    const render = await loadRenderer(config.WEB_DIST)
    const deps = await startBackground(config, log, print, ending)
    ending.add(await deps.catalogue.follow(deps.database, log))
    const app = await buildApp(deps, render)
    ending.add(() => app.close())
    await listen(app, config)
    ending.add(await openBroker(deps, print))
  })

/** Jobs and anchoring without pages: any number of these beside the web processes, on one PostgreSQL. */
export const startWork = (config: Config, log: Logger, print: Print): Promise<Running> =>
  start(async (ending) => void (await startBackground(config, log, print, ending)))

/** Runs `begin`; what it started is ended in the reverse order, also when it fails half way. */
async function start(begin: (ending: Endings) => Promise<void>): Promise<Running> {
  const ending = endings()
  try {
    await begin(ending)
  } catch (error) {
    await ending.stop()
    throw error
  }
  return ending
}

async function startBackground(config: Config, log: Logger, print: Print, ending: Endings): Promise<Deps> {
  await privateDataDir(config.DATA_DIR, log)
  const database = await openDatabase(config, log)
  ending.add(() => database.close())
  const deps = await buildDeps(config, log, database)
  ending.add(() => deps.chain.close())
  ending.add(() => deps.mailer.close())
  ending.add(() => deps.pictures.close())
  await lookAtStore(deps.files, config, log)
  await checkSecretKey(deps.db, deps.secrets, config.DATA_DIR)
  await prepareAccounts(deps, database.kind === 'embedded', print)
  if (config.SAMPLE_DATA) ending.add(await loadSampleWhenPossible(deps))
  ending.add(await startWorker(database, promptJobs(deps), log))
  ending.add(await startWorker(database, slowJobs(deps), log))
  const contract = config.CHAIN_CONTRACT === undefined ? {} : { contract: config.CHAIN_CONTRACT as Hex }
  const { db, chain, now } = deps
  const anchoring = { db, chain, now, log, outbidAfterS: OUTBID_AFTER_S, ...contract }
  const loop = startAnchoring(database, anchoring, config.ANCHOR_INTERVAL_S)
  ending.add(() => loop.stop())
  ending.add(await followBroker(deps))
  return deps
}
