import { createHmac, timingSafeEqual } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import * as endpoints from '@befaqt/domain/api/endpoints/backups'
import { BACKUP_NAME, BackupList, NewBackup } from '@befaqt/domain/backup'
import { HOUR_MS } from '@befaqt/domain/durations'
import { ShopError } from '@befaqt/domain/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { noteSecurity } from '#server/audit/security-log.ts'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/client.ts'
import { rangeOf } from '#server/files/routes.ts'
import { fieldError } from '#server/http/field-error.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import type { Principal } from '#server/identity/principal.ts'
import { requireUser } from '#server/identity/principal.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { lastDrill } from '../last-drill.ts'
import { askToStop, backupFolder, backupNameAt, readBackupFolder, removeBackup } from './backup-folder.ts'
import { KeptBackupMaker } from './make-kept.ts'

const BYTES = 'application/octet-stream'

export const backupOperations = defineRoutes(endpoints, {
  listBackups: {
    summary: 'Backups in their folder, how far one is that is being made, and how the last drill ended.',
    access: 'admin',
    limits: 'manage-read',
    responses: { 200: BackupList },
  },
  makeBackup: {
    confirmed: true,
    summary: 'Begin a backup; answers once it has begun.',
    access: 'admin',
    limits: 'manage-write',
    body: NewBackup,
    responses: { 202: z.strictObject({ name: z.string() }) },
    errors: [409],
  },
  stopBackup: {
    summary: 'Stop the backup that is being made: nothing of it is left.',
    access: 'admin',
    limits: 'manage-write',
    responses: { 204: null },
  },
  linkBackup: {
    confirmed: true,
    summary: 'The address at which the caller may download a backup for twelve hours, in parts if need be.',
    access: 'admin',
    limits: 'manage-write',
    responses: { 200: z.strictObject({ href: z.string() }) },
  },
  downloadBackup: {
    summary: 'A backup, or a range of it.',
    access: 'admin',
    limits: 'download',
    query: z.object({ ticket: z.string().max(200).default('') }),
    responses: { 200: BYTES, 206: BYTES, 416: null },
  },
  removeBackup: {
    confirmed: true,
    summary: 'Delete a backup for good.',
    access: 'admin',
    limits: 'manage-write',
    responses: { 204: null },
  },
})

type Deps = { db: Db; config: Config; secrets: Secrets; now: () => Date }

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const backupReads = {
  listBackups: ({ config }) => listBackups(config),
} satisfies Reads<typeof backupOperations, Pick<Deps, 'config'>>

/** Backups at the desk, for owners. Source: scale.md 'Installed by anybody'. */
export function backupRoutes(app: FastifyInstance, deps: Deps): void {
  const maker = new KeptBackupMaker()
  app.addHook('onClose', () => maker.close())
  const folder = backupFolder(deps.config)
  registerReads(app, backupOperations, backupReads, deps)
  registerRoute(app, backupOperations.makeBackup, async ({ principal, body }) => ({
    name: await makeBackup(deps, maker, principal, body),
  }))
  registerRoute(app, backupOperations.stopBackup, async () => {
    if ((await readBackupFolder(folder)).making !== null) await askToStop(folder)
    return undefined
  })
  registerRoute(app, backupOperations.linkBackup, async ({ principal, params: { name } }) => {
    await sizeOf(folder, name)
    noteSecurity({ what: 'export', outcome: 'done', object: `backup:${name}`, detail: 'link' })
    const { url } = backupOperations.downloadBackup
    return { href: `${url.replace(':name', name)}?ticket=${ticketFor(deps, principal, name)}` }
  })
  registerRoute(
    app,
    backupOperations.downloadBackup,
    async ({ principal, params: { name }, query: { ticket }, request, reply }) => {
      await sizeOf(folder, name)
      if (!isTicket(deps, principal, name, ticket))
        throw new ShopError(
          'auth.forbidden',
          'This link has ended, or is somebody else’s: press Download again.',
        )
      return sendFile(request, reply, folder, name)
    },
  )
  registerRoute(app, backupOperations.removeBackup, async ({ principal, params: { name } }) => {
    const bytes = await sizeOf(folder, name)
    if (!(await removeBackup(folder, name))) throw notThere()
    await deps.db.transaction((tx) =>
      writeAuditEntry(tx, principal, 'backup', name, { before: { bytes }, after: null }),
    )
    return undefined
  })
}

const notThere = (): ShopError => new ShopError('not_found', 'There is no such backup.')

/** @throws ShopError `not_found`, also for a name that leads elsewhere */
async function sizeOf(folder: string, name: string): Promise<number> {
  if (!BACKUP_NAME.test(name)) throw notThere()
  const file = await stat(join(folder, name)).catch(() => undefined)
  if (!file?.isFile()) throw notThere()
  return file.size
}

async function listBackups(config: Config): Promise<BackupList> {
  const folder = backupFolder(config)
  const drill = await lastDrill(config.DATA_DIR)
  return {
    folder,
    besideShop: !relative(config.DATA_DIR, folder).startsWith('..'),
    hasPassphrase: config.BACKUP_PASSPHRASE !== undefined,
    ...(await readBackupFolder(folder)),
    drill:
      drill === undefined
        ? null
        : {
            ...{ at: drill.at, ok: drill.ok, backup: drill.backup, goodAt: drill.goodAt },
            problems: drill.problems.slice(0, 10),
          },
    drills: config.BACKUP_DIR !== undefined,
  }
}

/** @throws ShopError `input.invalid`, `conflict` */
async function makeBackup(
  { db, config, now }: Deps,
  maker: KeptBackupMaker,
  principal: Principal,
  { seal, passphrase: typed, secrets }: NewBackup,
): Promise<string> {
  if (seal === 'shop' && config.BACKUP_PASSPHRASE === undefined)
    throw fieldError('seal', 'there is no passphrase in the settings (BACKUP_PASSPHRASE)')
  const passphrase = seal === 'shop' ? config.BACKUP_PASSPHRASE : seal === 'typed' ? typed : undefined
  const folder = backupFolder(config)
  const { DATA_DIR, DATABASE_URL, DATABASE_DIRECT_URL, FILES_URL } = config
  const source = { DATA_DIR, DATABASE_URL, DATABASE_DIRECT_URL, FILES_URL }
  const order = { config: source, folder, passphrase, secrets, version: version(), name: backupNameAt(now()) }
  const name = await maker.make(order)
  const detail = `${seal === 'none' ? 'not encrypted' : 'encrypted'}, ${secrets ? 'with' : 'without'} secrets`
  await db.transaction((tx) =>
    writeAuditEntry(tx, principal, 'backup', name, {
      before: null,
      after: { encrypted: seal !== 'none', secrets },
    }),
  )
  noteSecurity({ what: 'backup', outcome: 'done', object: `backup:${name}`, detail: `begun, ${detail}` })
  return name
}

function version(): string {
  const text = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')
  return String((JSON.parse(text) as { version: unknown }).version)
}

/** As long as a download over a slow line takes, broken off and continued. */
const TICKET_HOURS = 12

/** For whom and what and until when, sealed by the shop's key: asking again in the middle of a download would end it. */
function ticketFor({ secrets, now }: Deps, principal: Principal, name: string): string {
  const until = now().getTime() + TICKET_HOURS * HOUR_MS
  return `${until}.${secrets.hmac(`${requireUser(principal).userId} ${until} ${name}`, 'backup download')}`
}

function isTicket({ secrets, now }: Deps, principal: Principal, name: string, ticket: string): boolean {
  const [until = '', mac = ''] = ticket.split('.')
  const right = secrets.hmac(`${requireUser(principal).userId} ${until} ${name}`, 'backup download')
  return isSame(mac, right) && Number(until) > now().getTime()
}

const isSame = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map((text) => createHmac('sha256', 'compared').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}

/** Sends a file from the disk, or the range of it that is asked for. Source: RFC 9110 §13.1.5, §14. */
async function sendFile(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  folder: string,
  name: string,
): Promise<FastifyReply> {
  const size = await sizeOf(folder, name)
  const path = join(folder, name)
  const { mtimeMs, ino } = await stat(path)
  const etag = `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}-${ino.toString(36)}"`
  reply
    .header('etag', etag)
    .header('accept-ranges', 'bytes')
    .header('content-disposition', `attachment; filename="${name}"`)
    .type(BYTES)
  const isOther = headers['if-range'] !== undefined && headers['if-range'] !== etag
  const range = isOther ? 'none' : rangeOf(headers.range, size)
  if (range === 'beyond') return reply.code(416).header('content-range', `bytes */${size}`).send()
  if (range === 'none') return reply.code(200).header('content-length', size).send(createReadStream(path))
  const { start, end } = range
  return reply
    .code(206)
    .header('content-range', `bytes ${start}-${end}/${size}`)
    .header('content-length', end - start + 1)
    .send(createReadStream(path, { start, end }))
}
