import { Readable } from 'node:stream'
import * as endpoints from '@befaqt/domain/api/endpoints/restore'
import { ShopError } from '@befaqt/domain/errors'
import { NewUpload, type RestoreProgress, RestoreState, StartRestore, Upload } from '@befaqt/domain/restore'
import { LINK_HEADER, PLACE_HEADER, TAB_HEADER } from '@befaqt/domain/restore-parts'
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { checkToken, clientOf, consume, linksByNetwork, sameSecret } from '#server/accounts/index.ts'
import { noteSecurity } from '#server/audit/security-log.ts'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/client.ts'
import { fieldError } from '#server/http/field-error.ts'
import { defineRoutes, rawBody, registerRoute } from '#server/http/route.ts'
import { assertConfirmed, isOwner, requireUser } from '#server/identity/principal.ts'
import { type Owner, whyNotBare } from './bare-shop.ts'
import type { Wanted } from './replace-shop.ts'
import {
  appendPart,
  assertWhole,
  beginUpload,
  changing,
  freeBytes,
  placeOf,
  removeUpload,
  restoreFolder,
  uploadOf,
} from './restore-folder.ts'
import { beginTurn, endTurn, GOING, sayState, stateOf, tabOf } from './restore-state.ts'
import { RestoreProcess } from './run-restore.ts'

const BYTES = 'application/octet-stream'
const publicRoute = { access: 'public', cache: 'no-store' } as const

export const restoreOperations = defineRoutes(endpoints, {
  readRestore: {
    ...publicRoute,
    summary:
      'What a bare shop can be restored from, and how far that is: with the one-time link of its start, or for its only owner.',
    limits: 'link',
    responses: { 200: RestoreState },
    errors: [401],
  },
  beginUpload: {
    ...publicRoute,
    summary: 'Begin to send a backup, or go on with the same file where it was broken off.',
    limits: 'link',
    body: NewUpload,
    responses: { 200: Upload },
    errors: [401, 409, 507],
  },
  sendPart: {
    ...publicRoute,
    summary: 'The next part of the file; it is on the disk once this is answered.',
    limits: 'part',
    body: rawBody({ [BYTES]: null }),
    responses: { 200: Upload },
    errors: [401, 409, 507],
  },
  removeUpload: {
    ...publicRoute,
    summary: 'Remove the file that was sent.',
    limits: 'link',
    responses: { 204: null },
    errors: [401, 409],
  },
  startRestore: {
    ...publicRoute,
    summary:
      'Read the file that was sent, and if it is a whole backup restore it in the place of the bare shop.',
    limits: 'link',
    body: StartRestore,
    responses: { 202: null },
    errors: [401, 403, 409],
  },
})

type Deps = {
  db: Db
  config: Config
  now: () => Date
  /** Stops the shop and restores; null: this process can't. */
  replaceShop: ((wanted: Wanted) => void) | null
}

const MIB = 1024 * 1024
const OFF =
  'Restoring on this page is switched off (RESTORE_MAX_MB). The command does it: npm run -s befaqt -- restore FILE.'

/**
 * Who may restore: whoever has the link by which the first administrator is made, or the only account there is, its owner.
 * @throws ShopError `token.invalid`, `auth.required`, `rate.limited`
 */
async function whoRestores({ db, now }: Deps, request: FastifyRequest): Promise<Owner> {
  const link = request.headers[LINK_HEADER]
  if (typeof link === 'string' && link !== '') {
    await checkToken(db, 'first-admin', link, now()).catch(async (error: unknown) => {
      await consume(db, linksByNetwork(clientOf(request).network), now())
      throw error
    })
    return null
  }
  if (isOwner(request.principal)) return requireUser(request.principal).userId
  const words = 'This needs the link that the shop printed at its start, or its owner.'
  throw new ShopError(request.principal.kind === 'anonymous' ? 'auth.required' : 'token.invalid', words)
}

const TAB = /^[\w-]{22,64}$/

/** @throws ShopError `input.invalid` */
function tabOfRequest({ headers }: FastifyRequest): string {
  const tab = headers[TAB_HEADER]
  if (typeof tab !== 'string' || !TAB.test(tab))
    throw new ShopError('input.invalid', `The header ${TAB_HEADER} must be 22 to 64 letters, digits, - or _.`)
  return tab
}

const ELSEWHERE =
  'Another process of this shop answers, with another DATA_DIR, which does not have what was sent. Run one web process while you restore.'

/** @throws ShopError `conflict` with the reason `place` when it is meant for a process with another DATA_DIR */
async function assertPlace(folder: string, { headers }: FastifyRequest): Promise<void> {
  const meant = headers[PLACE_HEADER]
  if (meant === undefined || meant === (await placeOf(folder))) return
  throw new ShopError('conflict', ELSEWHERE, { details: { reason: 'place' } })
}

/** Restoring a backup into a shop that nobody has used yet, from its page. Source: scale.md 'Installed by anybody'. */
export async function restoreRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  const { config, db, now } = deps
  const folder = restoreFolder(config)
  const maxBytes = config.RESTORE_MAX_MB * MIB
  let running: RestoreProcess | undefined
  /** It was read and is right: this shop is about to stop. */
  let leaving: RestoreProgress | null = null
  app.addHook('onClose', async () => {
    await running?.kill()
    if (leaving === null) await endTurn(folder) // else it goes on once the shop has stopped
  })

  const whyNot = (owner: Owner): Promise<string | null> =>
    maxBytes === 0 ? Promise.resolve(OFF) : whyNotBare(db, owner)
  /** @throws ShopError `conflict` when this shop is in use */
  const allowed = async (request: FastifyRequest): Promise<Owner> => {
    await assertPlace(folder, request)
    const owner = await whoRestores(deps, request)
    const why = await whyNot(owner)
    if (why !== null) throw new ShopError('conflict', why)
    return owner
  }
  const begin = (wanted: Wanted): void => {
    const process = new RestoreProcess({ what: 'check', config, ...wanted })
    running = process
    void process.ended.then(async ({ ok, words }) => {
      await process.gone()
      const failed = async (why: string[]): Promise<void> => {
        const outcome = { at: now().toISOString(), ok: false, words: why }
        await sayState(folder, { tab: wanted.tab, progress: null, outcome }).catch(() => undefined)
        await endTurn(folder)
      }
      if (!ok) await failed(words)
      else if (deps.replaceShop === null) await failed(['This process can’t stop itself: use the command.'])
      else {
        const about = process.progress?.about ?? 0
        leaving = { ...NOTHING, step: 'restoring', since: now().toISOString(), about }
        deps.replaceShop(wanted)
      }
      running = undefined
    })
  }

  registerRoute(app, restoreOperations.readRestore, async ({ request }) => {
    const state = await stateOf(folder)
    const tab = request.headers[TAB_HEADER]
    const isTheirs = state !== null && typeof tab === 'string' && sameSecret(state.tab, tabOf(tab))
    const of = await placeOf(folder)
    const none = { place: of, maxBytes, freeBytes: null, upload: null }
    const progress = leaving ?? (running && (running.progress ?? NOTHING)) ?? state?.progress ?? null
    // The tables are another shop's until that is done, and locked: nobody is asked of them, as while this process restores.
    if (running === undefined && progress?.step === 'restoring')
      return { ...none, refused: null, progress, outcome: null }
    const owner = await whoRestores(deps, request).catch((error: unknown) => {
      if (isTheirs) return undefined
      throw placed(error, of)
    })
    // Once it is restored neither link nor session is of this shop: what came of it is for the tab that began it.
    if (owner === undefined) return { ...none, refused: null, progress, outcome: state?.outcome ?? null }
    const refused = await whyNot(owner)
    if (refused !== null)
      return { ...none, refused, progress: null, outcome: isTheirs ? (state?.outcome ?? null) : null }
    const [free, upload] = await Promise.all([freeBytes(folder), uploadOf(folder)])
    return { ...none, refused, freeBytes: free, upload, progress, outcome: state?.outcome ?? null }
  })
  registerRoute(app, restoreOperations.beginUpload, async ({ request, body }) => {
    await allowed(request)
    const head = Buffer.from(body.head, 'base64')
    return beginUpload(folder, { ...body, head, tab: tabOfRequest(request), now: now() }, maxBytes)
  })
  registerRoute(app, restoreOperations.removeUpload, async ({ request }) => {
    await allowed(request)
    await removeUpload(folder, tabOfRequest(request), now())
    return undefined
  })
  registerRoute(app, restoreOperations.startRestore, async ({ request, body: { id, passphrase } }) => {
    const owner = await allowed(request)
    assertConfirmed(request.principal)
    const tab = tabOf(tabOfRequest(request))
    await changing(folder, async () => {
      const { encrypted } = await assertWhole(folder, id)
      if (encrypted && passphrase === '') throw fieldError('passphrase', 'is needed: the backup is encrypted')
      if (running !== undefined || leaving !== null) throw new ShopError('conflict', GOING)
      const progress = { ...NOTHING, since: now().toISOString() }
      await beginTurn(folder, { tab, progress, outcome: null })
      begin({ owner, tab, passphrase: encrypted ? passphrase : undefined })
    })
    noteSecurity({ what: 'backup', outcome: 'done', detail: 'restore begun' })
    return undefined
  })
  const parts: FastifyPluginAsync = async (scope) => {
    // Streamed to the disk by its reader, which counts the bytes.
    scope.addContentTypeParser(BYTES, (_request, body, done) => done(null, body))
    registerRoute(scope, restoreOperations.sendPart, async ({ request, params }) => {
      await allowed(request)
      const { body } = request
      if (!(body instanceof Readable))
        throw new ShopError('input.media_type', `A part of the type ${BYTES} is needed.`)
      const offset = Number(params.offset)
      return appendPart(folder, { id: params.id, offset, tab: tabOfRequest(request), now: now() }, body)
    })
  }
  await app.register(parts)
}

/** The same failure, with whose it is: the link of one process may be unknown to another, which has been restored. */
const placed = (error: unknown, place: string): unknown =>
  error instanceof ShopError
    ? new ShopError(error.code, error.message, { details: { ...error.details, place }, cause: error })
    : error

const NOTHING: RestoreProgress = {
  step: 'checking',
  since: new Date(0).toISOString(),
  rows: 0,
  about: 0,
  objects: 0,
  bytes: 0,
}
