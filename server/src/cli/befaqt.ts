import { open, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pino from 'pino'
import { noteSecurity, openSecurityLog } from '#server/audit/security-log.ts'
import { streamBackup, writeBackup } from '#server/backup/backup-file.ts'
import { backup, type Progress } from '#server/backup/make-backup.ts'
import { tellWhatIsMissing } from '#server/backup/missing-anchors.ts'
import { type Restored, restore } from '#server/backup/restore-backup.ts'
import { openChain } from '#server/chain/open-chain.ts'
import { type Config, readConfig } from '#server/config/config.ts'
import { openFileStore } from '#server/files/file-store.ts'
import { runArchive } from './befaqt-archive.ts'
import { runDoctor, runUpgradeCheck } from './befaqt-doctor.ts'
import { runDrill } from './befaqt-drill.ts'
import { runCommand } from './command.ts'

const USAGE = `Usage: npm run -s befaqt -- COMMAND

  backup FILE    all rows at one moment, the files that they name, and the key if wanted; the shop may run meanwhile.
                 FILE - is the standard output
    --with-secrets | --without-secrets   with secret.key or without it: one of them has to be said
  restore FILE   into an empty database and DATA_DIR, all of it or nothing; then asks the ledger what the backup lacks.
                 FILE - is the standard input
  doctor         looks at all that the shop depends on, whether it runs or not, and changes nothing: what is wrong, and
                 what to do
    --deep       also compares all that is derived with what it is derived of, and the content of all files
    --json       as JSON
  drill FOLDER   restores the newest backup of a folder (or a FILE) into a database and folder of its own, looks whether
                 every box verifies, sums and files are right, and what the ledger has beyond it; leaves nothing of it, and
                 writes down for the alerts how it ended
    --embedded   into an embedded database, where the shop has PostgreSQL
    --json       as JSON
  upgrade --check [FOLDER]   what a start of this version would do to the database, and whether the newest backup of the
                 folder (or FILE) is new; changes nothing: the start itself upgrades
    --json       as JSON
  archive        which sealed boxes are files of their own, and of how many rows were dropped for them
    --restore BOX  brings the rows of a box back from its file, verified; BOX may be all
    --remove BOX   removes the file of a box whose rows are there, as before a record of it is withheld
backup, restore, drill: --passphrase-file FILE, or BEFAQT_PASSPHRASE: the backup is encrypted with it. The settings are the shop's.
Exit status: 0 done, or nothing is wrong; 1 done, and something is to be decided; 2 it could not be done.`

const options = {
  'passphrase-file': { type: 'string' },
  'with-secrets': { type: 'boolean' },
  'without-secrets': { type: 'boolean' },
  deep: { type: 'boolean' },
  json: { type: 'boolean' },
  embedded: { type: 'boolean' },
  check: { type: 'boolean' },
  restore: { type: 'string' },
  remove: { type: 'string' },
  help: { type: 'boolean' },
} as const

type Given = { [Name in keyof typeof options]?: string | boolean | undefined }

/** What people read; standard output may be the backup. */
const say = (text: string): void => void process.stderr.write(`${text}\n`)

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const [command, file, ...more] = positionals
  if (values.help || command === undefined) {
    say(USAGE)
    return values.help ? 0 : 2
  }
  if (command === 'doctor' && file === undefined)
    return runDoctor({ deep: values.deep === true, json: values.json === true })
  if (command === 'upgrade' && values.check === true && more.length === 0)
    return runUpgradeCheck(file && resolve(process.env.INIT_CWD ?? process.cwd(), file), values.json === true)
  if (command === 'archive' && file === undefined)
    return runArchive({ restore: values.restore, remove: values.remove })
  if (command === 'drill' && file !== undefined && more.length === 0)
    return runDrill({
      from: resolve(process.env.INIT_CWD ?? process.cwd(), file),
      passphrase: await passphraseOf(values),
      embedded: values.embedded === true,
      json: values.json === true,
      progress: progressLine(),
    })
  if ((command !== 'backup' && command !== 'restore') || file === undefined || more.length > 0)
    throw new Error(USAGE)
  const config = readConfig(process.env)
  const passphrase = await passphraseOf(values)
  const path = file === '-' ? '-' : resolve(process.env.INIT_CWD ?? process.cwd(), file)
  return command === 'backup'
    ? makeBackup(config, path, passphrase, values)
    : restoreFrom(config, path, passphrase)
}

async function passphraseOf(values: Given): Promise<string | undefined> {
  const file = values['passphrase-file']
  const given = typeof file === 'string' ? await readFile(file, 'utf8') : process.env.BEFAQT_PASSPHRASE
  const passphrase = given?.replace(/\r?\n$/, '')
  if (passphrase === '') throw new Error('The passphrase is empty.')
  return passphrase
}

async function makeBackup(
  config: Config,
  path: string,
  passphrase: string | undefined,
  values: Given,
): Promise<number> {
  const secrets = values['with-secrets'] === true
  if (secrets === (values['without-secrets'] === true))
    throw new Error(
      'Say --with-secrets or --without-secrets: with secret.key in it, whoever has the backup and its passphrase has the secrets too; without it, keep that file yourself.',
    )
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stop.abort(new Error('Stopped: no backup was written.')))
  const store = await openFileStore(config, pino({ level: 'silent' }))
  let status = 0
  const bytes = backup({
    config,
    store,
    passphrase,
    secrets,
    version: await versionOf(),
    progress: progressLine(),
    done: ({ rows, objects, missing, missingCount }) => {
      say(`${count(rows)} rows and ${count(objects)} files.`)
      if (missingCount === 0) return
      status = 1
      say(
        `${count(missingCount)} files that rows name are not in the store, or damaged, or were removed meanwhile: ${missing.slice(0, 10).join(', ')}`,
      )
    },
  })
  const size = await (path === '-'
    ? streamBackup(process.stdout, bytes)
    : writeBackup(path, bytes, stop.signal))
  say(
    `${path === '-' ? 'The backup' : path} is whole: ${count(size)} bytes, ${passphrase === undefined ? 'not encrypted' : 'encrypted'}.`,
  )
  await noteBackup(config, `${size} bytes, ${secrets ? 'with' : 'without'} secrets`)
  if (!secrets) say(`It holds no secret.key: keep ${join(config.DATA_DIR, 'secret.key')} apart.`)
  return status
}

/** In the shop's security log where that is a file: the standard output here is not the shop's. */
async function noteBackup({ SECURITY_LOG: to }: Config, detail: string): Promise<void> {
  if (to === 'stdout') return
  const close = openSecurityLog(to, pino(pino.destination(2)))
  noteSecurity({ what: 'backup', outcome: 'done', who: 'operator', detail })
  await close()
}

async function restoreFrom(config: Config, path: string, passphrase: string | undefined): Promise<number> {
  const store = await openFileStore(config, pino({ level: 'silent' }))
  const chain = await openChain(config)
  const chainId = await chain.chainId().catch(() => undefined)
  await chain.close()
  const file = path === '-' ? process.stdin : await fileAt(path)
  const restored = await restore(file, { config, store, passphrase, chainId, progress: progressLine() })
  tell(restored, config)
  return Math.max(await tellWhatIsMissing(config, restored.head, say), restored.missing.length > 0 ? 1 : 0)
}

async function fileAt(path: string): Promise<AsyncIterable<Uint8Array>> {
  const file = await open(path).catch((error: unknown) => {
    throw new Error(`${path} can't be read: ${error instanceof Error ? error.message : String(error)}`)
  })
  return file.createReadStream({ highWaterMark: 1 << 20 })
}

function tell({ head, foot, missing, leftOut, kept }: Restored, { DATA_DIR }: Config): void {
  say(`Restored: the shop of ${head.madeAt}, ${count(foot.rows)} rows and ${count(foot.objects)} files.`)
  if (missing.length > 0)
    say(
      `${count(missing.length)} files that rows name are not in the backup: ${missing.slice(0, 10).join(', ')}`,
    )
  for (const name of leftOut) say(`Left out: the table ${name}, which is not the shop's.`)
  for (const name of kept) say(`${join(DATA_DIR, name)} was there already and stayed as it is.`)
  if (!foot.files.includes('secret.key'))
    say(`The backup holds no secret.key: put the shop's into ${DATA_DIR} before its first start.`)
}

const count = (n: number): string => n.toLocaleString('en')
const PROGRESS_MS = 2_000

function progressLine(): Progress {
  let next = performance.now() + PROGRESS_MS
  const began = performance.now()
  return ({ rows, about, objects, bytes }) => {
    if (performance.now() < next) return
    next = performance.now() + PROGRESS_MS
    const seconds = Math.round((performance.now() - began) / 1000)
    say(
      `${seconds} s: ${count(rows)} rows of about ${count(about)}, ${count(objects)} files, ${count(bytes >> 20)} MiB`,
    )
  }
}

async function versionOf(): Promise<string> {
  const text = await readFile(new URL('../../../package.json', import.meta.url), 'utf8')
  return String((JSON.parse(text) as { version: unknown }).version)
}

runCommand(main)
