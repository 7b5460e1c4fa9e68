import * as endpoints from '@befaqt/domain/api/endpoints/results'
import { EnoseResult, ImageResult } from '@befaqt/domain/box'
import { type Clock, rejectFutureTimes } from '@befaqt/domain/market-time'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { boxIDOf } from '#server/boxes/box-id-of.ts'
import type { RecordingDeps } from '#server/boxes/records/add-records.ts'
import type { StoringFiles } from '#server/files/store-file.ts'
import { parse } from '#server/http/errors.ts'
import { fieldError } from '#server/http/field-error.ts'
import { type Form, readForm } from '#server/http/multipart-form.ts'
import { defineRoutes, rawBody, registerRoute } from '#server/http/route.ts'
import type { ImageProcessor } from '#server/images/port.ts'
import { addResult, type Result } from './add-result.ts'
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

export const resultOperations = defineRoutes(endpoints, {
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
