import type { Logger } from 'pino'
import type { Hex } from 'viem'
import { bootstrapAccounts } from './accounts/bootstrap-accounts.ts'
import { checkSecretKey } from './accounts/credentials/secret-key.ts'
import { startAnchoring } from './anchoring/anchor-loop.ts'
import { witnessCalls } from './anchoring/log/ask-witnesses.ts'
import { readPagesBuild } from './anchoring/log/build-manifest.ts'
import { followBuilds, noteStartedBuild } from './anchoring/log/builds-log.ts'
import { BUILDS_CHECKPOINT_FILE, CHECKPOINT_FILE, checkpointFile } from './anchoring/log/checkpoint-file.ts'
import { followAnchors, inTurn, originOf } from './anchoring/log/sign-log.ts'
import { buildApp } from './app.ts'
import { openSecurityLog } from './audit/security-log.ts'
import { Replacement, type Wanted, watchForAnother } from './backup/welcome/replace-shop.ts'
import { finishSwitch } from './backup/welcome/switch-shops.ts'
import { scheduleRenewal } from './boxes/projection/projection.ts'
import { offerConsumer, startFollowingOffers } from './boxes/records/follow-offers.ts'
import { cdnConsumer, startClearing } from './cdn/clear-copies.ts'
import type { Config } from './config/config.ts'
import { privateDataDir } from './config/data-dir.ts'
import { listen } from './config/listen.ts'
import { type EventConsumer, nameOthers } from './db/consume.ts'
import { openDatabase } from './db/open-database.ts'
import type { Deps } from './deps.ts'
import { buildDeps } from './deps.ts'
import { startWatch, watchConsumer } from './excursions/watch-boxes.ts'
import { checkFileStore } from './files/file-store.ts'
import { serverLimits } from './http/limits/route-limits.ts'
import { sweepTemporaryFolders } from './http/received-file.ts'
import { leasesOf, recurringJobs, workersOf } from './job-registry.ts'
import { startWorker } from './jobs/lane.ts'
import { startRecurring } from './jobs/recurring.ts'
import { startEmbeddedBroker, startExternalBroker } from './mqtt/start-mqtt.ts'
import { closeApp, type Drain, newDrain, workerApp } from './ops/ops-routes.ts'
import { scheduleFill } from './orders/slot-rules/fill-slots.ts'
import { builtPages, loadRenderer } from './pages/built-pages.ts'
import { boxes as boxesInReports } from './reports/box-sums.ts'
import { consumerOf, type Projection, startFollowing } from './reports/projection.ts'
import { sales } from './reports/sales-projection.ts'
import { schedulePurge } from './retention.ts'
import { loadSampleWhenPossible } from './sample/load-sample.ts'
import { scheduleJourneys } from './sample/sample-journeys.ts'
import { type ShutdownHooks, shutdownHooks } from './shutdown-hooks.ts'
import { stopTelemetry } from './tracing/telemetry.ts'
import { startTelling, webhookConsumer } from './webhooks/tell-webhooks.ts'

export type Running = {
  /**
   * Stops everything. @param drainS seconds during which `/readyz` answers 503 and requests are still served
   * @throws Error naming what did not stop
   */
  stop(drainS: number): Promise<void>
}
type Print = (text: string) => void

/** What a start has to do with a shop that is restored in this process. */
export type StartOptions = {
  /** Of this start: asked for by the page of a bare shop. */
  replacement: Replacement
  /** Of the start before it; undefined: it is the first. */
  former: Replacement | undefined
}
const alone = (): StartOptions => ({ replacement: new Replacement(), former: undefined })

/** Seconds after which the fee of a transaction that is in no block is raised. */
const FEE_BUMP_AFTER_S = 120

/** Work in the database that follows from events. */
const consumersOf = (deps: Deps): readonly EventConsumer[] => [
  watchConsumer,
  ...projectionsOf(deps).map(consumerOf),
  webhookConsumer,
  offerConsumer,
  ...(deps.cdn?.clear == null ? [] : [cdnConsumer]),
]

/** What reports are read from. */
const projectionsOf = (deps: Deps): readonly Projection[] => [sales(deps), boxesInReports(deps)]

/** The whole shop: pages, API, devices, jobs and anchoring. @param print writes a line to the terminal */
export const startWebProcess = (
  settings: Config,
  log: Logger,
  print: Print,
  options = alone(),
): Promise<Running> =>
  start(async (shutdown, drain) => {
    const config = { ...settings, WEB_DIST: builtPages(settings.WEB_DIST) }
    const render = await loadRenderer(config.WEB_DIST)
    const { replacement, former } = options
    const deps = {
      ...(await startBackground(config, log, print, shutdown, options)),
      replaceShop: (wanted: Wanted) => replacement.ask(wanted),
    }
    shutdown.add(
      'following events',
      await deps.events.start([deps.catalogue, deps.boxEvents, deps.nextSlots, deps.site]),
    )
    const build = await readPagesBuild(config.WEB_DIST)
    if (build !== undefined) await noteStartedBuild(deps.db, build)
    const app = await buildApp(deps, render, serverLimits, drain)
    shutdown.add('HTTP', () => closeApp(app))
    await former?.beforeListen()
    await listen(app, config)
    await sweepTemporaryFolders(new Date())
    shutdown.add('the MQTT broker', await startEmbeddedBroker(deps, print))
  })

/** Jobs and anchoring without pages: any number of these run beside the web processes, on one PostgreSQL. */
export const startWorkerProcess = (
  config: Config,
  log: Logger,
  print: Print,
  options = alone(),
): Promise<Running> =>
  start(async (shutdown, drain) => {
    const deps = await startBackground(config, log, print, shutdown, options)
    shutdown.add('following events', await deps.events.start([deps.site]))
    if (config.WORKER_PORT === undefined) return
    const app = await workerApp(deps, drain)
    shutdown.add('HTTP', () => closeApp(app))
    await listen(app, { HOST: config.HOST, PORT: config.WORKER_PORT }, 'WORKER_PORT')
  })

/** Runs `begin`; what it started is stopped in reverse order, also when it fails half way. */
async function start(begin: (shutdown: ShutdownHooks, drain: Drain) => Promise<void>): Promise<Running> {
  const shutdown = shutdownHooks()
  const drain = newDrain()
  try {
    await begin(shutdown, drain)
  } catch (error) {
    await shutdown.run().catch(() => undefined) // the reason why it could not start matters more
    throw error
  }
  return { stop: (drainS) => drain.begin(drainS).then(() => shutdown.run()) }
}

async function startBackground(
  config: Config,
  log: Logger,
  print: Print,
  shutdown: ShutdownHooks,
  { replacement, former }: StartOptions,
): Promise<Deps> {
  await privateDataDir(config.DATA_DIR, log)
  shutdown.add('sending traces', stopTelemetry)
  shutdown.add('the security log', openSecurityLog(config.SECURITY_LOG, log))
  await finishSwitch(config)
  const database = await openDatabase(config, log)
  shutdown.add('the database', () => database.close())
  shutdown.add('the last look at a shop that is replaced', () => replacement.lastLook(database.db))
  shutdown.add(
    'hearing that another shop was restored',
    await watchForAnother(database, () => replacement.ask(null)),
  )
  const deps = await buildDeps(config, log, database)
  shutdown.add('the chain', () => deps.chain.close())
  shutdown.add('mail', () => deps.mailer.close())
  shutdown.add('the image workers', () => deps.images.close())
  await checkFileStore(deps.files, config, log)
  await checkSecretKey(deps.db, deps.secrets, config.DATA_DIR)
  await bootstrapAccounts(deps, database.kind === 'embedded', print, former !== undefined)
  if (config.SAMPLE_DATA) shutdown.add('loading sample data', await loadSampleWhenPossible(deps))
  await scheduleRenewal(deps.db)
  await nameOthers(deps.db, log, consumersOf(deps))
  await schedulePurge(deps.db, deps.now())
  await scheduleFill(deps.db, deps.now())
  if (config.SAMPLE_JOURNEYS > 0) await scheduleJourneys(deps.db, deps.now())
  shutdown.add('recurring jobs', await startRecurring(deps, recurringJobs(deps)))
  for (const [name, handlers] of Object.entries(workersOf(deps)))
    shutdown.add(name, await startWorker(database, handlers, log, leasesOf[name]))
  shutdown.add('the watch of the cold chain', startWatch(deps))
  shutdown.add('the sums of reports', startFollowing(deps, projectionsOf(deps)))
  shutdown.add('telling webhooks', startTelling(deps))
  shutdown.add('what is on sale from boxes', startFollowingOffers(deps))
  shutdown.add('clearing copies of pages', startClearing(deps))
  const contract = config.CHAIN_CONTRACT === undefined ? {} : { contract: config.CHAIN_CONTRACT as Hex }
  const { db, chain, now, secrets } = deps
  const anchoring = { db, chain, now, log, feeBumpAfterS: FEE_BUMP_AFTER_S, ...contract }
  const fileOf = (name: string) =>
    database.kind === 'embedded' ? checkpointFile(config.DATA_DIR, name) : undefined
  const witnesses = config.WITNESSES && witnessCalls(config.WITNESSES)
  shutdown.add('asking witnesses', async () => witnesses?.stop())
  const origin = originOf(config.PUBLIC_URL)
  const follow = inTurn(
    followAnchors({ origin, secrets, file: fileOf(CHECKPOINT_FILE), witnesses }),
    followBuilds({ secrets, file: fileOf(BUILDS_CHECKPOINT_FILE) }),
  )
  const loop = startAnchoring(database, anchoring, config.ANCHOR_INTERVAL_S, follow)
  shutdown.add('anchoring', () => loop.stop())
  shutdown.add('the connection to the MQTT broker', await startExternalBroker(deps))
  return deps
}
