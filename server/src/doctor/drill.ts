import { open, readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import pino from 'pino'
import type { Hex } from 'viem'
import { findGap, ledgerLocation, logDifferences, syncEmbeddedChain } from '#server/anchoring/index.ts'
import type { Head } from '#server/backup/content.ts'
import { opensWith } from '#server/backup/frames.ts'
import type { Progress } from '#server/backup/make-backup.ts'
import { restore } from '#server/backup/restore-backup.ts'
import { auditBoxes } from '#server/box-audit/audit-boxes.ts'
import { type HistoryDeps, proofBundle } from '#server/boxes/index.ts'
import { openChain } from '#server/chain/open-chain.ts'
import type { Chain } from '#server/chain/port.ts'
import type { Config } from '#server/config/config.ts'
import { type Db, rows } from '#server/db/client.ts'
import { openDatabase } from '#server/db/open-database.ts'
import { type FileStore, openFileStore } from '#server/files/file-store.ts'
import { diffBoxes } from '#server/reports/box-sums.ts'
import { diffSales } from '#server/reports/sales-audit.ts'
import { readSiteFile } from '#server/site/index.ts'
import { drillPlace } from './drill-place.ts'
import { reasonOf } from './finding.ts'
import { verifierApart } from './verify-apart.ts'

const quiet = pino({ level: 'silent' })

export type DrillWanted = {
  config: Omit<Config, 'WITNESSES'>
  /** A backup, or a folder of which the newest is taken. */
  from: string
  passphrase: string | undefined
  /** Passes over those of a folder that another passphrase opens. */
  skipsOthers?: boolean
  /** Into an embedded database also where the shop has another. */
  embedded: boolean
  progress: Progress
  signal: AbortSignal
}

/** What a drill found. */
export type Drilled = {
  /** The backup could be a shop again, with nothing wrong in it. */
  ok: boolean
  backup: string
  into: 'postgres' | 'embedded'
  madeAt: string
  /** Seconds: until it was restored, and in all. */
  restoredS: number
  tookS: number
  rows: number
  files: number
  /** Boxes by the verdict that a stranger's verifier gives them. */
  boxes: Record<string, number>
  /** What came after it, as far as the ledger knows. */
  lacks: string[]
  /** What is wrong with it, in sentences; at most so many of each kind. */
  problems: string[]
}

/** Names of one kind that are told. */
const MAX_TOLD = 10

/**
 * The newest backup of a folder, by the time at which it was written.
 * @param isOurs else the one before it is taken
 */
export async function newestBackup(
  from: string,
  isOurs: (path: string) => Promise<boolean> = async () => true,
): Promise<string> {
  const place = await stat(from)
  if (!place.isDirectory()) return from
  const found: { path: string; at: number }[] = []
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.backup')) continue
    const path = join(from, entry.name)
    found.push({ path, at: (await stat(path)).mtimeMs })
  }
  if (found.length === 0)
    throw new Error(`There is no backup in ${from}: no file whose name ends in .backup.`)
  for (const { path } of found.sort((a, b) => b.at - a.at)) if (await isOurs(path)) return path
  throw new Error(`There is no backup in ${from} that the passphrase of the settings opens.`)
}

/**
 * Restores a backup into a place of its own, brings it up to this version as a start does, and asks of it what matters: does
 * every box verify, is what is derived what its rows give, are all files there? Leaves nothing of the place, and touches
 * neither the shop nor its chain.
 * @throws Error when the backup could not be restored, in a sentence
 */
export async function drill(wanted: DrillWanted): Promise<Drilled> {
  const { config, passphrase, progress, signal } = wanted
  const began = performance.now()
  const seconds = (): number => Math.round((performance.now() - began) / 100) / 10
  // A file that is no backup, or damaged from its beginning, is not passed over: it is what the drill is to find.
  const isOurs = (path: string): Promise<boolean> => opensWith(path, passphrase).catch(() => true)
  const backup = await newestBackup(wanted.from, wanted.skipsOthers ? isOurs : undefined)
  const place = await drillPlace(config, wanted.embedded)
  try {
    const chain = await openChain(config)
    try {
      const store = await openFileStore(place.config, quiet)
      const chainId = await chain.chainId().catch(() => undefined)
      const { head, foot, missing } = await restore(stoppable(backup, signal), {
        ...{ config: place.config, store, passphrase, progress },
        chainId,
      })
      const restoredS = seconds()
      const problems = missing
        .slice(0, MAX_TOLD)
        .map((key) => `The file ${key}, which a row names, is not in it.`)
      const {
        boxes,
        lacks,
        problems: more,
      } = await asked({ config: place.config, store, chain }, head, signal)
      problems.push(...more)
      return {
        ok: problems.length === 0,
        backup: basename(backup),
        into: place.kind,
        madeAt: head.madeAt,
        restoredS,
        tookS: seconds(),
        rows: foot.rows,
        files: foot.objects,
        boxes,
        lacks,
        problems,
      }
    } finally {
      await chain.close()
    }
  } finally {
    await place.remove()
  }
}

async function* stoppable(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const file = await open(path)
  for await (const chunk of file.createReadStream({ highWaterMark: 1 << 20 })) {
    signal.throwIfAborted()
    yield chunk
  }
}

type Answers = Pick<Drilled, 'boxes' | 'lacks' | 'problems'>

async function asked(
  { config, store, chain }: { config: Config; store: FileStore; chain: Chain },
  head: Head,
  signal: AbortSignal,
): Promise<Answers> {
  const database = await openDatabase(config, quiet)
  try {
    const { db } = database
    const gap = await askLedger(db, config, chain, head)
    const history = { db, files: store, log: quiet }
    const verified = await verifyAll(history, config, chain, gap.lacks.length > 0, signal)
    const siteFile = await readSiteFile()
    const deps = { ...history, siteFile, catalogue: { changed: () => undefined } }
    const differences = async function* (): AsyncGenerator<string> {
      for await (const { boxID, of, words } of auditBoxes(deps)) yield `${boxID}, ${of}: ${words.join('; ')}`
    }
    const problems = [...gap.problems, ...verified.problems]
    for (const found of [differences(), diffSales(deps), diffBoxes(deps), await logDifferences(db)]) {
      let told = 0
      for await (const words of found) {
        signal.throwIfAborted()
        problems.push(words)
        if (++told === MAX_TOLD) break
      }
    }
    return { boxes: verified.boxes, lacks: gap.lacks, problems }
  } finally {
    await database.close()
  }
}

/** What the ledger has that the backup lacks. Sends nothing to the chain. */
async function askLedger(
  db: Db,
  config: Config,
  chain: Chain,
  { madeAt }: Head,
): Promise<Omit<Answers, 'boxes'>> {
  if (chain.kind === 'embedded') {
    await syncEmbeddedChain({ db, chain })
    return { lacks: [], problems: [] }
  }
  try {
    const chainId = await chain.chainId()
    const ledgers = await rows<{ chainId: number; contract: string }>(
      db,
      sql`select chain_id as "chainId", contract from ledgers`,
    )
    const ours = ledgers.find((ledger) => ledger.chainId === chainId)
    if (ours === undefined) return { lacks: [], problems: [] } // never anchored: another chain was refused before
    const none = (): void => undefined
    const deps = {
      ...{ db, chain, now: () => new Date(), log: { info: none, warn: none, error: none } },
      ...{ checkLead: async () => undefined, feeBumpAfterS: 0 },
    }
    const gap = await findGap(deps, { chainId, contract: ours.contract as Hex })
    if (gap === undefined) return { lacks: [], problems: [] }
    const count = gap.last.index - gap.first.index + 1
    const words = `${count} anchors that came after ${madeAt}, with ${gap.records} records: ${gap.boxes.length} boxes may lack some.`
    return { lacks: [words], problems: [] }
  } catch (error) {
    return {
      lacks: [],
      problems: [
        `The ledger of ${config.CHAIN_RPC_URL === undefined ? 'the backup' : 'the settings'} could not be compared: ${reasonOf(error)}`,
      ],
    }
  }
}

const PART = 500
/** Boxes whose proofs are made and verified at once: one is read, one made, one verified, and one waits for that. */
const AT_ONCE = 4

/** What a stranger's verifier says of every box. `isBehind`: the ledger knows newer anchors, which any box may be in. */
async function verifyAll(
  deps: HistoryDeps,
  config: Config,
  chain: Chain,
  isBehind: boolean,
  signal: AbortSignal,
): Promise<Omit<Answers, 'lacks'>> {
  const [rpc = 'http://chain.invalid', ...more] = config.CHAIN_RPC_URL ?? []
  const { db } = deps
  const location = ledgerLocation(db, chain, rpc)
  const { contract } = await location.locate()
  const boxes: Record<string, number> = {}
  const problems: string[] = []
  if (contract === null) return { boxes, problems }
  const isOneNode = config.CHAIN_RPC_URL !== undefined && more.length === 0
  await using verifier = verifierApart({ contract, node: isOneNode ? rpc : undefined }, chain)
  for (let last = ''; ; ) {
    const part = await rows<{ id: string }>(
      db,
      sql`select id from boxes where count > 0 and id > ${last} order by id limit ${PART}`,
    )
    const asked = async ({ id }: { id: string }) => {
      const said = await proofBundle({ ...deps, ledger: location }, id)
        .then(verifier.verify)
        .catch((error: unknown) => ({ verdict: 'unproven', words: reasonOf(error) }))
      return { id, ...said }
    }
    const all = Readable.from(part).map(asked, { concurrency: AT_ONCE, signal })
    for await (const { id, verdict, words } of all) {
      boxes[verdict] = (boxes[verdict] ?? 0) + 1
      const isFine =
        verdict === 'verified' || verdict === 'verified-up-to' || (isBehind && verdict === 'incomplete')
      if (!isFine && problems.length < MAX_TOLD) problems.push(`${id} is ${verdict}: ${words}`)
    }
    last = part.at(-1)?.id ?? ''
    if (part.length < PART) return { boxes, problems }
  }
}
