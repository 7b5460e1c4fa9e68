/* Reads a backup that was sent to a bare shop, and restores it, in a process of its own: see run-restore.ts, which starts it. */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import pino from 'pino'
import { openChain } from '#server/chain/open-chain.ts'
import { restrictUmask } from '#server/config/data-dir.ts'
import { acquireLock } from '#server/db/directory-lock.ts'
import { openFileStore } from '#server/files/file-store.ts'
import { KEY_FILE } from '#server/secrets/secrets.ts'
import { inWords } from '../backup-file.ts'
import { type Head, readContent } from '../content.ts'
import { BackupRefused, opened } from '../frames.ts'
import { tellWhatIsMissing } from '../missing-anchors.ts'
import { type Restored, refuseForeign, restore } from '../restore-backup.ts'
import type { Session } from '../session.ts'
import { keyOf } from '../shop-facts.ts'
import { hasTable } from '../tables.ts'
import { emptyBareShop } from './bare-shop.ts'
import { restoreFolder, uploadedFile } from './restore-folder.ts'
import { sayState, stateOf } from './restore-state.ts'
import type { RestoreOrder, RestoreSaid } from './run-restore.ts'
import {
  clearSide,
  decide,
  isDecided,
  RESTORED,
  RESTORED_CHANNEL,
  sideOf,
  takePlace,
} from './switch-shops.ts'

const tell = (said: RestoreSaid): void => void process.send?.(said)

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const NOTHING = { rows: 0, about: 0, objects: 0, bytes: 0 }
const done = { ...NOTHING }

/** The content of the file that was sent. */
const fileOf = (order: RestoreOrder): AsyncIterable<Uint8Array> =>
  createReadStream(uploadedFile(restoreFolder(order.config)), { highWaterMark: 1 << 20 })

async function chainIdOf({ config }: RestoreOrder): Promise<number | undefined> {
  const chain = await openChain(config)
  try {
    return await chain.chainId().catch(() => undefined)
  } finally {
    await chain.close()
  }
}

/** @throws BackupRefused when what the backup's rows are encrypted with is neither in it nor here */
async function refuseWithoutKey(dataDir: string, { shop }: Head, files: readonly string[]): Promise<void> {
  if (shop.key === null || files.includes(KEY_FILE) || shop.key === (await keyOf(dataDir))) return
  throw new BackupRefused(
    `The backup holds no secret.key, and that of this shop is another. Put the one of the shop that was backed up into an empty DATA_DIR, with an empty database, and start again; or send a backup that was made with secrets.`,
  )
}

/** Reads all of it, and changes nothing. */
async function check(order: RestoreOrder): Promise<void> {
  const { config, passphrase } = order
  const chainId = await chainIdOf(order)
  // Its own key may be another's: a bare shop's is replaced.
  const where = { DATA_DIR: sideOf(restoreFolder(config)), CHAIN_CONTRACT: config.CHAIN_CONTRACT }
  let head: Head | undefined
  const files: string[] = []
  await readContent(opened(fileOf(order), passphrase), {
    head: async (found) => {
      await refuseForeign(found, { config: where, chainId })
      head = found
      done.about = found.about
    },
    part: async ({ kind, name }, bytes) => {
      let rows = 0
      for await (const chunk of bytes) {
        done.bytes += chunk.length
        if (kind === 'table') rows += linesIn(chunk)
      }
      done.rows += rows
      if (kind === 'object') done.objects++
      if (kind === 'file') files.push(name)
      return kind === 'table' ? rows : undefined
    },
  })
  if (head !== undefined) await refuseWithoutKey(config.DATA_DIR, head, files)
}

/** COPY writes each row as a line. */
function linesIn(chunk: Uint8Array): number {
  let lines = 0
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++
  return lines
}

/**
 * Restores the shop beside the other, and puts it in its place. Returns what is to be known of it.
 * @param settle ends what keeps the progress: from the decision on the outcome is what counts
 */
async function run(order: RestoreOrder, settle: () => Promise<void>): Promise<string[]> {
  const { config, passphrase, owner, tab } = order
  const folder = restoreFolder(config)
  const isEmbedded = config.DATABASE_URL === undefined
  const unlock = isEmbedded ? await acquireLock(config.DATA_DIR) : async () => undefined
  try {
    await clearSide(folder)
    await mkdir(sideOf(folder), { mode: 0o700 })
    const side = { ...config, DATA_DIR: sideOf(folder) }
    const id = randomUUID()
    let decision: Awaited<ReturnType<typeof decide>> | undefined
    const beforeCommit = async (session: Session, restored: Restored): Promise<void> => {
      const words = wordsFor(restored)
      await settle()
      await refuseWithoutKey(config.DATA_DIR, restored.head, restored.foot.files)
      if (!restored.foot.files.includes(KEY_FILE) && restored.head.shop.key !== null)
        await copyFile(join(config.DATA_DIR, KEY_FILE), join(side.DATA_DIR, KEY_FILE))
      await note(session, id)
      if (!isEmbedded)
        decision = await decide(folder, { id, ifCommitted: true, tab, words: [...words, NOT_COMPARED] })
    }
    const restored = await restore(fileOf(order), {
      ...{ config: side, store: await openFileStore(config, pino({ level: 'silent' })), passphrase },
      ...{ chainId: await chainIdOf(order), progress: (now) => void Object.assign(done, now), beforeCommit },
      empty: (session) => emptyBareShop(session, owner),
    })
    const words = wordsFor(restored)
    const say = (text: string): void => void words.push(text)
    if (isEmbedded) await tellWhatIsMissing(side, restored.head, say)
    decision ??= await decide(folder, { id, ifCommitted: false, tab, words })
    await takePlace(config.DATA_DIR, decision)
    if (!isEmbedded) await tellWhatIsMissing(config, restored.head, say)
    return words
  } catch (error) {
    throw inWords(error, config.DATA_DIR)
  } finally {
    // What was decided the next start looks at: an answer to a commit may be lost.
    if (!(await isDecided(folder))) await clearSide(folder).catch(() => undefined)
    await unlock()
  }
}

const NOT_COMPARED = 'It was not compared with the ledger: see Health, or npm run -s ledger:recover.'

/** So that a start knows whether the transaction was committed. */
async function note(session: Session, id: string): Promise<void> {
  if (!(await hasTable(session, 'public.installation')))
    throw new BackupRefused(
      'The backup is of a shop too old for this page: restore it by the command, npm run -s befaqt -- restore FILE.',
    )
  await session.query(
    `insert into public.installation (name, value) values ($1, $2)
     on conflict (name) do update set value = excluded.value`,
    [RESTORED, id],
  )
  await session.query('select pg_notify($1, $2)', [RESTORED_CHANNEL, '']) // heard once it is committed
}

function wordsFor({ head, foot, missing, leftOut }: Restored): string[] {
  const count = (n: number): string => n.toLocaleString('en')
  return [
    `The shop of ${new Date(head.madeAt).toUTCString()}: ${count(foot.rows)} rows and ${count(foot.objects)} files.`,
    ...(missing.length > 0
      ? [
          `${count(missing.length)} files that rows name are not in the backup: ${missing.slice(0, 5).join(', ')}`,
        ]
      : []),
    ...leftOut.map((name) => `Left out: the table ${name}, which is not the shop’s.`),
  ]
}

const TELL_MS = 300
/** How often other processes are told, by way of the disk. */
const KEEP_MS = 1_000

/** Calls `write` again and again, one at a time. Returns what ends that, once the last one is done. */
function keeping(write: () => Promise<void>): () => Promise<void> {
  let writing: Promise<void> | undefined
  const timer = setInterval(() => {
    // That a disk is full the restore itself will say.
    writing ??= write()
      .catch(() => undefined)
      .finally(() => {
        writing = undefined
      })
  }, KEEP_MS)
  return async () => {
    clearInterval(timer)
    await writing
  }
}

async function work(order: RestoreOrder): Promise<void> {
  const folder = restoreFolder(order.config)
  const unlock = await acquireLock(folder)
  // What the check found, so that whoever looks sees the same sum throughout.
  if (order.what === 'restore') done.about = (await stateOf(folder))?.progress?.about ?? 0
  const since = new Date().toISOString()
  const step = order.what === 'check' ? 'checking' : 'restoring'
  const { tab } = order
  const telling = setInterval(() => tell({ progress: { step, since, ...done } }), TELL_MS)
  const keep = (): Promise<void> =>
    sayState(folder, { tab, progress: { step, since, ...done }, outcome: null })
  let settle = async (): Promise<void> => undefined
  try {
    await keep()
    settle = keeping(keep)
    const words = order.what === 'check' ? await check(order).then(() => []) : await run(order, settle)
    await settle()
    const at = new Date().toISOString()
    // After the check it goes on from the beginning: the shop stops, and another process restores.
    const next = { ...NOTHING, about: done.about, step: 'restoring', since: at } as const
    const outcome = { at, ok: true, words }
    const isChecked = order.what === 'check'
    await sayState(folder, { tab, progress: isChecked ? next : null, outcome: isChecked ? null : outcome })
    tell({ ended: { ok: true, words } })
  } catch (error) {
    const words = [wordsOf(inWords(error, folder))]
    const outcome = { at: new Date().toISOString(), ok: false, words }
    await settle()
    await sayState(folder, { tab, progress: null, outcome }).catch(() => undefined)
    tell({ ended: { ok: false, words } })
  } finally {
    clearInterval(telling)
    await unlock()
  }
}

restrictUmask()
/** Whoever started it ended: what it has not decided is as it was, and what it has, the next start does. */
process.once('disconnect', () => process.exit(1))
process.once('message', (order: RestoreOrder) => {
  work(order).then(
    () => process.exit(0),
    (error: unknown) => {
      tell({ ended: { ok: false, words: [wordsOf(error)] } })
      process.exit(1)
    },
  )
})
