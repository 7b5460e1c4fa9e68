import { hash } from 'node:crypto'
import * as endpoints from '@befaqt/domain/api/endpoints/station'
import { StationBox, StationView } from '@befaqt/domain/api/station-api'
import { EnoseResult, ImageResult } from '@befaqt/domain/box'
import { type Clock, rejectFutureTimes } from '@befaqt/domain/market-time'
import { canonicalBytes } from '@befaqt/provenance'
import { and, count, eq, inArray } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { boxIDOf, boxNotFound, lockBox } from '#server/boxes/box-access.ts'
import { addRecords, type RecordingDeps } from '#server/boxes/records/add-records.ts'
import { changeCatalogue } from '#server/catalogue/index.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { apiKeys } from '#server/db/schema/accounts.ts'
import { boxes, records } from '#server/db/schema/boxes.ts'
import { timeText } from '#server/db/stored-values.ts'
import type { StoringFiles } from '#server/files/store-file.ts'
import { parse } from '#server/http/errors.ts'
import { fieldError } from '#server/http/field-error.ts'
import { type Form, readForm } from '#server/http/multipart-form.ts'
import { defineRoutes, rawBody, registerRoute } from '#server/http/route.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import type { ImageProcessor } from '#server/images/image-processor.ts'
import { dataFiles, linker, pictureFiles, type ResultFile, withFiles } from './result-files.ts'

const Added = z.strictObject({ seq: z.int() })

/** A result as JSON, or in the field `result` of a form beside its files, which it calls by their names. */
const resultBody = (result: z.ZodType) =>
  rawBody({
    'application/json': result,
    'multipart/form-data': z.object({
      result: z.string().describe('JSON'),
      files: z.array(z.file()).optional(),
    }),
  })

const NewImageResult = ImageResult.omit({ txHash: true })
const NewEnoseResult = EnoseResult.omit({ txHash: true })
const station = { access: { right: 'record:write' }, limits: 'upload' } as const

const resultOperations = defineRoutes(endpoints, {
  addImageResult: {
    ...station,
    summary: 'Add the result of an e-eye, with its pictures; the same again adds nothing.',
    body: resultBody(NewImageResult),
    responses: { 200: Added, 201: Added },
    errors: [404, 409],
  },
  addEnoseResult: {
    ...station,
    summary: 'Add the result of an e-nose, with its data files; the same again adds nothing.',
    body: resultBody(NewEnoseResult),
    responses: { 200: Added, 201: Added },
    errors: [404, 409],
  },
})

type ResultDeps = RecordingDeps & StoringFiles & { images: ImageProcessor }

/** Results of image and e-nose stations. Source: running.md 'Records from the field'. */
export function resultRoutes(app: FastifyInstance, deps: ResultDeps): void {
  const clock = (): Clock => ({ now: deps.now(), timeZone: deps.siteFile.market.timeZone })

  registerRoute(app, resultOperations.addImageResult, async ({ principal, params, request, reply }) => {
    const boxID = boxIDOf(params, principal)
    await using form = await readForm(request)
    const sent = parse(rejectFutureTimes(NewImageResult, clock()), resultIn(form))
    const files = await pictureFiles(deps.images, form.files)
    const link = linker(
      files,
      sent.resultPerImage.map(({ image }) => image),
    )
    const resultPerImage = sent.resultPerImage.map((one) => ({ ...one, image: link(one.image) }))
    const result: Result = { kind: 'image-result', data: { ...sent, resultPerImage } }
    const { seq, isNew } = await store(files, (save) => addResult(deps, principal, boxID, result, save))
    reply.code(isNew ? 201 : 200)
    return { seq }
  })

  registerRoute(app, resultOperations.addEnoseResult, async ({ principal, params, request, reply }) => {
    const boxID = boxIDOf(params, principal)
    await using form = await readForm(request)
    const sent = parse(rejectFutureTimes(NewEnoseResult, clock()), resultIn(form))
    const files = await dataFiles(form.files)
    const link = linker(
      files,
      sent.resultPerTest.map(({ sensingData }) => sensingData),
    )
    const resultPerTest = sent.resultPerTest.map((one) => ({ ...one, sensingData: link(one.sensingData) }))
    const result: Result = { kind: 'enose-result', data: { ...sent, resultPerTest } }
    const { seq, isNew } = await store(files, (save) => addResult(deps, principal, boxID, result, save))
    reply.code(isNew ? 201 : 200)
    return { seq }
  })

  const store = <Made>(files: readonly ResultFile[], work: Parameters<typeof withFiles<Made>>[2]) =>
    withFiles(deps, files, work)
}

/** @throws ShopError `input.invalid` for a form whose field `result` is no JSON */
function resultIn({ typed, body }: Form): unknown {
  if (typed) return body
  try {
    return JSON.parse(String(body.result ?? ''))
  } catch {
    throw fieldError('result', 'must be JSON')
  }
}

/** A result of an image or e-nose station, by the kind of its record. */
type Result = { kind: 'image-result'; data: ImageResult } | { kind: 'enose-result'; data: EnoseResult }

/**
 * Adds a result to a box, and a freshness record after it; the same result again adds nothing. Answers its place.
 * @param save writes the rows of its files, first in the transaction
 * @throws ShopError `box.not_found`, `box.sealed`
 */
function addResult(
  deps: RecordingDeps,
  principal: Principal,
  boxID: string,
  { kind, data }: Result,
  save: (tx: Tx) => Promise<void>,
): Promise<{ seq: number; isNew: boolean }> {
  const dedupeKey = `${kind}:${hash('sha256', canonicalBytes(data))}`
  return changeCatalogue(
    deps,
    async (tx) => {
      await lockBox(tx, boxID)
      const [before] = await tx
        .select({ seq: records.seq })
        .from(records)
        .where(and(eq(records.boxId, boxID), eq(records.dedupeKey, dedupeKey)))
      if (before !== undefined) return { seq: before.seq, isNew: false, onCards: false }
      await save(tx)
      const by = data.operator || actorId(principal)
      const draft = { kind, at: data.time, by, data: { ...data }, dedupeKey, changesFreshness: true }
      const { appended, onCards } = await addRecords(tx, deps, boxID, [draft])
      return { seq: appended[0]?.seq ?? 0, isNew: true, onCards }
    },
    ({ onCards }) => onCards,
    { boxes: [boxID] },
  ).then(({ seq, isNew }) => ({ seq, isNew }))
}

const read = { access: { right: 'record:write' }, limits: 'manage-read' } as const

const stationOperations = defineRoutes(endpoints, {
  readStation: {
    ...read,
    summary: 'Who sends results: the name and the rights of a key, or a manager.',
    responses: { 200: StationView },
  },
  readStationBox: {
    ...read,
    summary: 'The box that a station is about to add a result to.',
    responses: { 200: StationBox },
  },
})

/** What the page of a station without an API reads. Source: docs/decisions/0058-stations.md. */
export function stationRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  registerRoute(app, stationOperations.readStation, ({ principal }) => whoSends(db, principal))
  registerRoute(app, stationOperations.readStationBox, ({ params, principal }) =>
    stationBox(db, boxIDOf(params, principal)),
  )
}

async function whoSends(db: Db, principal: Principal): Promise<StationView> {
  if (principal.kind !== 'key')
    return { name: principal.kind === 'user' ? principal.fname : '', rights: null, boxes: null }
  const [key] = await db.select({ name: apiKeys.name }).from(apiKeys).where(eq(apiKeys.id, principal.keyId))
  const limits = principal.boxes
  return { name: key?.name ?? '', rights: [...principal.rights], boxes: limits && [...limits] }
}

/** @throws ShopError `box.not_found` */
async function stationBox(db: Db, boxID: string): Promise<StationBox> {
  const [box] = await db.select().from(boxes).where(eq(boxes.id, boxID))
  if (box === undefined) throw boxNotFound()
  const counted = await db
    .select({ kind: records.kind, results: count() })
    .from(records)
    .where(and(eq(records.boxId, boxID), inArray(records.kind, ['image-result', 'enose-result'])))
    .groupBy(records.kind)
  const resultsOf = (of: string): number => counted.find(({ kind }) => kind === of)?.results ?? 0
  const { species, trader, sealed } = box
  const counts = { images: resultsOf('image-result'), enoses: resultsOf('enose-result') }
  return { boxID, species, trader, caughtAt: timeText(box.caughtAt), sealed, ...counts }
}
