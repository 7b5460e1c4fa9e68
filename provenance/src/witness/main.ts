import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { shopAnchors } from '../audit/shop-anchors.ts'
import { printable } from '../cli-report.ts'
import { type VerifierKey, verifierKeyText } from '../log/note.ts'
import { readLog, type ShownLog } from '../log/read-log.ts'
import { AuditStore } from './audit-store.ts'
import { Auditor } from './auditor.ts'
import { BuildsJudge } from './builds-judge.ts'
import { checkerPages } from './checker.ts'
import { followOnce } from './follow.ts'
import { signersOf } from './keys.ts'
import { beginMirrors, type KeptCopy, type OpenMirrors } from './mirrors.ts'
import { type Audit, serveWitness, type WatchedBuilds } from './serve.ts'
import { readSettings, SettingError, type WitnessSettings } from './settings.ts'
import { Store, StoreError } from './store.ts'
import { Witness } from './witness.ts'

const USAGE = `Usage: WITNESS_LOG=KEY WITNESS_LOG_URL=URL WITNESS_NAME=NAME npm run witness [-- --folder-is-newest]

Signs each state of a shop's log of anchors that continues the one it signed before, and in which every anchor adds up.
With WITNESS_KIND=general it compares states of the log alone. docs/operations.md names the settings.
  --folder-is-newest  the folder was moved here, and nothing was signed since with another copy of it`

const CONFIRM = '--folder-is-newest'

const tell = (words: string): void => {
  process.stdout.write(`${new Date().toISOString()} ${words.split('\n').map(printable).join('\n')}\n`)
}

async function main(args: readonly string[]): Promise<void> {
  if (args.some((argument) => argument !== CONFIRM)) throw new SettingError(USAGE)
  const settings = readSettings(process.env)
  const store = await Store.open(settings.folder)
  const signers = await signersOf(store, settings.name)
  const nowS = (): number => Math.floor(Date.now() / 1000)
  const stopping = new AbortController()
  const nap = new Nap(stopping.signal)
  const audit = auditOf(settings, { nowS, tell, wanted: () => nap.end() }, stopping.signal)
  const parts = { log: settings.log, signers, memory: store, nowS, tell }
  const witness = await Witness.begin(audit === undefined ? parts : { ...parts, judge: audit.auditor })
  const buildsStore = settings.builds && (await Store.beside(join(settings.folder, 'builds')))
  const builds =
    settings.builds &&
    buildsStore &&
    (await watchBuilds(settings, { log: settings.builds.log, signers, memory: buildsStore, nowS, tell }))
  for (const one of [witness, ...(builds === undefined ? [] : [builds.witness])]) {
    if (args.includes(CONFIRM)) await one.confirm()
    if (one.held !== undefined)
      tell(`not signing: ${one.held}. If nothing was signed since with another copy, start with ${CONFIRM}`)
  }
  const mirrors = await mirrorsOf(settings, { witness, builds, nowS })
  const keys = signers.map(({ key }) => key)
  const pages = checkerPages(settings, keys)
  const server = serveWitness({ witness, log: settings.log, keys, tell, audit, pages, builds, mirrors })
  server.listen(settings.port, settings.host)
  await once(server, 'listening')
  for (const key of keys) tell(`key ${verifierKeyText(key)}`)
  for (const key of mirrors?.keys ?? []) tell(`mirror key ${verifierKeyText(key)}`)
  const { port } = server.address() as AddressInfo
  const kind = audit === undefined ? 'general' : 'auditing'
  tell(`${kind} witness of ${settings.log.name} at http://${settings.host}:${port}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  const { log, logUrl, pollS } = settings
  const look = (shown: ShownLog) => audit?.auditor.advance(shown, nap.stopping)
  // A copy is waited for by nobody, and looked for as soon as there may be more to copy
  const copyNap = new Nap(stopping.signal)
  const andCopy = (done: () => Promise<string>) => () => done().finally(() => copyNap.end())
  await Promise.all([
    follow(
      andCopy(() => lookOnce({ witness, log, logUrl, look }, nap)),
      nap,
      pollS,
    ),
    builds &&
      follow(
        andCopy(() => lookAtBuilds(builds, settings, nap)),
        nap,
        pollS,
      ),
    ...(mirrors?.all ?? []).map((copy) => follow(() => copyOnce(copy, copyNap), copyNap, pollS)),
  ])
  server.close()
  server.closeAllConnections()
  mirrors?.close()
  audit?.store.close()
  buildsStore?.close()
  store.close()
}

/** Copies of all logs that are watched; undefined: none are kept. */
async function mirrorsOf(
  { mirror: name, folder, log, logUrl, builds: other }: WitnessSettings,
  { witness, builds, nowS }: { witness: Witness; builds: WatchedBuilds | undefined; nowS: () => number },
): Promise<OpenMirrors | undefined> {
  if (name === undefined || logUrl === undefined) return undefined
  const logs = [{ log, logUrl, witness }]
  if (other?.logUrl !== undefined && builds !== undefined)
    logs.push({ log: other.log, logUrl: other.logUrl, witness: builds.witness })
  return beginMirrors(folder, name, logs, nowS)
}

async function watchBuilds(
  { shopUrl }: WitnessSettings,
  parts: Parameters<typeof Witness.begin>[0],
): Promise<WatchedBuilds> {
  const judge = shopUrl === undefined ? undefined : new BuildsJudge(tell)
  const witness = await Witness.begin(judge === undefined ? parts : { ...parts, judge })
  return { witness, log: parts.log, judge }
}

/** The auditor of a shop's anchors; undefined: this is a general witness. */
function auditOf(
  { folder, log, shopUrl }: WitnessSettings,
  parts: Pick<ConstructorParameters<typeof Auditor>[0], 'nowS' | 'tell' | 'wanted'>,
  signal: AbortSignal,
): Audit | undefined {
  if (shopUrl === undefined) return undefined
  const store = AuditStore.open(folder, verifierKeyText(log))
  return { store, auditor: new Auditor({ store, shop: shopAnchors(shopUrl, signal), ...parts }) }
}

/** A wait that somebody may end, a second at least. */
class Nap {
  readonly #stopping: AbortSignal
  #wanted = new AbortController()

  constructor(stopping: AbortSignal) {
    this.#stopping = stopping
  }

  get isOver(): boolean {
    return this.#stopping.aborted
  }

  get stopping(): AbortSignal {
    return this.#stopping
  }

  end(): void {
    this.#wanted.abort()
  }

  async wait(seconds: number): Promise<void> {
    await pause(1_000, undefined, { signal: this.#stopping }).catch(() => undefined)
    const signal = AbortSignal.any([this.#stopping, this.#wanted.signal])
    await pause((seconds - 1) * 1_000, undefined, { signal }).catch(() => undefined)
    this.#wanted = new AbortController()
  }
}

/** Looks at a log until it is told to stop. */
async function follow(look: () => Promise<string>, nap: Nap, pollS: number): Promise<void> {
  let told = ''
  while (!nap.isOver) {
    const state = await look().catch((error: unknown) => `the log could not be followed: ${messageOf(error)}`)
    if (state !== told && !nap.isOver) tell(state)
    told = state
    await nap.wait(pollS)
  }
}

/** A log, and what is done with what is in it before it is signed. */
interface Watched {
  readonly witness: Witness
  readonly log: VerifierKey
  /** Undefined: it waits for who asks. */
  readonly logUrl: string | undefined
  readonly look: (shown: ShownLog) => Promise<void> | undefined
}

/** One look at a log, at what is in it first where that is audited. Answers what came of it, in words. */
async function lookOnce({ witness, log, logUrl, look }: Watched, { stopping }: Nap): Promise<string> {
  if (logUrl === undefined) return 'waiting for states of the log'
  const shown = await readLog(log, logUrl, stopping)
  if (shown === undefined) return 'the log has no checkpoint yet'
  await look(shown)
  const reply = await followOnce(witness, shown)
  return reply.status === 200 ? `signed ${witness.size} entries` : `not signed: ${reply.body.trim()}`
}

const lookAtBuilds = async (
  { witness, log, judge }: WatchedBuilds,
  { builds }: WitnessSettings,
  nap: Nap,
): Promise<string> => {
  const look = (shown: ShownLog) => judge?.advance(shown)
  return `builds: ${await lookOnce({ witness, log, logUrl: builds?.logUrl, look }, nap)}`
}

const copyOnce = async ({ mirror, log, logUrl }: KeptCopy, { stopping }: Nap): Promise<string> =>
  `copy of ${log.name}: ${await mirror.advance(() => readLog(log, logUrl, stopping), stopping).catch(notCopied)}`

const notCopied = (error: unknown): string => `not copied: ${messageOf(error)}`

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

try {
  await main(process.argv.slice(2))
} catch (error) {
  const isTheirs = error instanceof SettingError || error instanceof StoreError
  process.stderr.write(`${isTheirs ? error.message : messageOf(error)}\n`)
  process.exitCode = 1
}
