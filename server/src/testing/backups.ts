import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { rpcLedger } from '@befaqt/provenance/rpc-ledger'
import { verifyBundle } from '@befaqt/provenance/verify'
import pino from 'pino'
import { checkSecretKey } from '#server/accounts/credentials/secret-key.ts'
import { ledgerLocation } from '#server/anchoring/ledger.ts'
import { readContent } from '#server/backup/content.ts'
import { opened } from '#server/backup/frames.ts'
import { backup, type Wanted } from '#server/backup/make-backup.ts'
import { proofBundle } from '#server/boxes/proof-bundle.ts'
import { type Config, readConfig } from '#server/config/config.ts'
import type { Database } from '#server/db/client.ts'
import { files } from '#server/db/schema/files.ts'
import { installation } from '#server/db/schema/installation.ts'
import { type FileStore, openFileStore } from '#server/files/file-store.ts'
import { claimObject, putObject } from '#server/files/objects.ts'
import { loadSecrets } from '#server/secrets/secrets.ts'
import { addBox, addRecords, anchoringWorld, rowsAlone } from './anchoring.ts'
import type { TestNetwork } from './network.ts'
import type { Restorable } from './restorable.ts'

const quiet = pino({ level: 'silent' })
const program = fileURLToPath(new URL('../cli/befaqt.ts', import.meta.url))

/** What COPY has to write otherwise than it is: its own signs, line ends, signs of several bytes. */
export const ODD = 'a\\b\tc\nd\r\n\\.\n\'"\\N ü🐟'

/** Settings and store of a place. */
export async function shopAt(
  place: Pick<Restorable, 'env'>,
  network?: TestNetwork,
): Promise<{ config: Config; env: Record<string, string>; store: FileStore }> {
  const chain = network ? { CHAIN_RPC_URL: network.http.url, CHAIN_PRIVATE_KEY: network.privateKey } : {}
  const env = { ...place.env, ...chain }
  const config = readConfig(env)
  return { config, env, store: await openFileStore(config, quiet) }
}

/** Boxes with anchored records, a stored file, a key, odd text: what a backup has to bring back. Returns the file's key. */
export async function fill(
  database: Database,
  { config, store }: { config: Config; store: FileStore },
  network: TestNetwork,
): Promise<string> {
  const { db } = database
  // As on a chain in service: what lacks records is told by times.
  const now = Math.floor(Date.now() / 1000)
  await network.node.rpc({ method: 'evm_setNextBlockTimestamp', params: [now] })
  await checkSecretKey(db, await loadSecrets(config.DATA_DIR), config.DATA_DIR)
  await db.insert(installation).values({ name: ODD, value: ODD })
  const bytes = Buffer.from('a picture')
  const key = await putObject(db, store, { bytes, extension: 'webp' })
  await db.transaction(async (tx) => {
    await claimObject(tx, key)
    await tx.insert(files).values({
      path: 'a.webp',
      mediaType: 'image/webp',
      bytes: bytes.length,
      width: 1,
      height: 1,
      objectKey: key,
    })
  })
  await addBox(db, 'open')
  await addRecords(db, 'open', 3)
  await addBox(db, 'sealed')
  await addRecords(db, 'sealed', 2, true)
  await anchor(database, network)
  return key
}

/** Anchors what is new. */
export async function anchor({ db }: Database, network: TestNetwork): Promise<void> {
  const world = anchoringWorld(db, network.chain, { now: () => new Date() })
  for (let i = 0; i < 4; i++) {
    await world.pass()
    await network.mine()
  }
}

/** What a stranger's verifier says of a box. */
export async function verdictOf({ db }: Database, network: TestNetwork, box: string): Promise<string> {
  const ledger = ledgerLocation(db, network.chain, network.http.url)
  const bundle = JSON.parse(await proofBundle({ ...rowsAlone(db), ledger }, box))
  const { contract } = bundle.ledger
  return (await verifyBundle(bundle, rpcLedger(network.http.url, fetch, { contract }))).verdict
}

/** A backup's settings in tests. */
export const wanted = (
  { config, store }: { config: Config; store: FileStore },
  more: Partial<Wanted> = {},
): Wanted => ({
  config,
  store,
  passphrase: undefined,
  secrets: false,
  version: 'tests',
  progress: () => undefined,
  ...more,
})

/** Every row of every table, as a backup has it, in one order. */
export async function rowsAt(shop: { config: Config; store: FileStore }): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  await readContent(opened(backup(wanted(shop)), undefined), {
    head: async () => undefined,
    part: async (part, bytes) => {
      const chunks: Uint8Array[] = []
      for await (const chunk of bytes) chunks.push(chunk)
      if (part.kind !== 'table') return undefined
      const lines = Buffer.concat(chunks).toString().split('\n').slice(0, -1)
      found.set(part.name, lines.sort().join('\n'))
      return lines.length
    },
  })
  return found
}

const { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS } = process.env
/** What makes a program start fast, as in all tests. */
const OURS = { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS }

/** The command as an operator runs it; `feed` writes to its input, and may kill it. */
export async function befaqt(
  env: Record<string, string>,
  args: readonly string[],
  feed?: (child: ReturnType<typeof spawn>) => Promise<void>,
): Promise<{ status: number | null; said: string; printed: string }> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...OURS, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => undefined) // of one that was killed
  const [said, printed] = [text(child.stderr), text(child.stdout)]
  const closed = once(child, 'close')
  await feed?.(child)
  child.stdin.end()
  const [status] = await closed
  return { status, said: await said, printed: await printed }
}
