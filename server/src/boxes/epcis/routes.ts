import { Readable } from 'node:stream'
import { TradeView } from '@befaqt/domain/api/box-trade-api'
import * as endpoints from '@befaqt/domain/api/endpoints/box-trade'
import { EpcisInput } from '@befaqt/domain/epcis/box-of-events'
import { lackingElements } from '@befaqt/domain/epcis/elements'
import { epcisDocument, eventsOfBox } from '@befaqt/domain/epcis/events-of-box'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { boxIDOf } from '#server/boxes/box-id-of.ts'
import { type LabelDeps, labelContents } from '#server/boxes/labels/label-content.ts'
import type { RecordingDeps } from '#server/boxes/records/add-records.ts'
import { sendJson } from '#server/http/caching/send-json.ts'
import { defineRoutes, rawBody, registerRoute } from '#server/http/route.ts'
import { allowedBoxes } from '#server/identity/principal.ts'
import { fsmaCsv } from './fsma-csv.ts'
import { ImportedEpcisBox, importEpcis } from './import-epcis.ts'
import { type EpcisDeps, readEpcisSource } from './read-epcis.ts'

const day = z.iso.date('must be a day, YYYY-MM-DD')
const MAX_DAYS = 366
const Period = z
  .object({ profile: z.literal('fsma204', 'must be fsma204'), from: day, to: day })
  .refine(({ from, to }) => from <= to, { path: ['to'], error: 'must not be before from' })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < MAX_DAYS * 86_400_000, {
    path: ['to'],
    error: `must be at most ${MAX_DAYS} days after from`,
  })

export const boxTradeOperations = defineRoutes(endpoints, {
  readEpcis: {
    access: 'public',
    limits: 'history',
    summary:
      'The box as an EPCIS 2.0 document (JSON-LD) with the key data elements of GDST 1.2 that are held.',
    responses: { 200: 'application/ld+json' },
  },
  readTrade: {
    access: 'public',
    limits: 'history',
    summary: 'What the label of a box holds, and what its EPCIS document lacks, in plain words.',
    responses: { 200: TradeView },
  },
  importEpcis: {
    access: { right: 'box:write' },
    limits: 'box',
    summary: 'Make boxes of an EPCIS document: all or none. A dry run says what would be done.',
    query: z.object({ dry: z.literal('true').optional().describe('only say what would be done') }),
    body: rawBody({ 'application/json': EpcisInput, 'application/ld+json': EpcisInput }),
    responses: { 200: z.strictObject({ boxes: z.array(ImportedEpcisBox) }) },
  },
  exportTrade: {
    access: { right: 'box:write' },
    limits: 'file',
    summary: 'Boxes caught on these days as the sortable spreadsheet of FSMA 204, as CSV.',
    query: Period,
    responses: { 200: 'text/csv' },
  },
})

/** Boxes in the languages of the trade and of regulators. Source: standards.md. */
export function boxTradeRoutes(app: FastifyInstance, deps: EpcisDeps & LabelDeps & RecordingDeps): void {
  registerRoute(app, boxTradeOperations.readEpcis, async ({ params, request, reply }) => {
    const boxID = boxIDOf(params)
    const document = JSON.stringify(epcisDocument(await readEpcisSource(deps, boxID)))
    reply.header('content-disposition', `inline; filename="box-${boxID}.epcis.jsonld"`)
    return sendJson(request, reply, document, 'application/ld+json; charset=utf-8')
  })
  registerRoute(app, boxTradeOperations.readTrade, async ({ params }) => {
    const boxID = boxIDOf(params)
    const events = eventsOfBox(await readEpcisSource(deps, boxID))
    const [label] = await labelContents(deps, [boxID])
    return {
      address: label?.address ?? '',
      sscc: label?.sscc ?? null,
      events: events.length,
      lacking: lackingElements(events),
    }
  })
  registerRoute(app, boxTradeOperations.importEpcis, async ({ principal, query, request }) => ({
    boxes: await importEpcis(deps, principal, request.body, query.dry === 'true'),
  }))
  registerRoute(app, boxTradeOperations.exportTrade, async ({ principal, query, reply }) => {
    const lines = await fsmaCsv(deps, query, allowedBoxes(principal) ?? undefined)
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="fsma204-${query.from}-${query.to}.csv"`)
      .send(Readable.from(lines))
  })
}
