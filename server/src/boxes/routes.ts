import { BoxListRow, BoxPageNews, BoxPageView, paged, WholeBox } from '@befaqt/domain/api/box-api'
import * as endpoints from '@befaqt/domain/api/endpoints/boxes'
import { Box, boxSchema } from '@befaqt/domain/box'
import { pageNews } from '@befaqt/domain/box-page-news'
import { MAX_SEARCH } from '@befaqt/domain/limits'
import { MAX_LISTED } from '@befaqt/domain/list-place'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { withArchive } from '#server/boxes/archive/read-archive.ts'
import type { RecordingDeps } from '#server/boxes/records/add-records.ts'
import { changeCatalogue } from '#server/catalogue/index.ts'
import { sendJson } from '#server/http/caching/cached-response.ts'
import { parse } from '#server/http/errors.ts'
import type { Search } from '#server/http/limits/limited-search.ts'
import { ListQuery } from '#server/http/list-query.ts'
import { defineRoutes, type Reads, rawBody, registerReads, registerRoute } from '#server/http/route.ts'
import { actorId, assertBoxAccess } from '#server/identity/principal.ts'
import { boxIDOf, provenBoxIDOf } from './box-access.ts'
import { type BoxPageDeps, boxPage } from './box-page.ts'
import { type Position, PositionText, readPosition } from './events/news.ts'
import { searchBoxes } from './list-boxes.ts'
import {
  Absence,
  absenceBundle,
  Proof,
  type ProofDeps,
  ProofNews,
  type ProofParts,
  proofBundle,
  proofNews,
} from './proof-bundle.ts'
import { boxSummary, Summary } from './proof-summary.ts'
import { importBox } from './records/import-box.ts'
import { wholeBox } from './whole-box.ts'

const Page = z.object({
  page: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(1_000_000, 'must be at most 1000000')
    .optional()
    .describe(`from 1, as far as row ${MAX_LISTED}`),
  size: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(100, 'must be at most 100')
    .default(20),
  ...ListQuery.pick({ after: true, before: true }).shape,
  q: z.string().max(MAX_SEARCH).default(''),
})

const after = PositionText.describe('how far what one has goes: the id of the last event that was heard')
const News = z.object({ after: after.transform((text) => readPosition(text) ?? { seq: 0, anchor: -1 }) })

const scales = z
  .literal('1')
  .exactOptional()
  .describe(
    'with the registers of scales also where no reading is signed, which verifiers before 0157 refuse',
  )

const BoxRef = z.strictObject({ boxID: z.string() })
const read = { access: 'public', limits: 'history' } as const

export const boxOperations = defineRoutes(endpoints, {
  listBoxes: {
    ...read,
    summary: 'Boxes, newest first.',
    query: Page,
    responses: { 200: paged(BoxListRow) },
  },
  importBox: {
    summary: 'Import a whole Box: 201, 200 when it was here, 409 when another is.',
    access: { right: 'box:write' },
    limits: 'box',
    body: rawBody({ 'application/json': Box }),
    responses: { 200: BoxRef, 201: BoxRef },
  },
  readBox: {
    ...read,
    summary: 'A whole Box as it came, with our transactions.',
    responses: { 200: WholeBox },
  },
  readBoxPage: {
    ...read,
    summary: 'All that the box page shows.',
    responses: { 200: BoxPageView },
  },
  readProof: {
    anyOrigin: true,
    ...read,
    summary: 'Proof bundle for checking the box.',
    query: z.object({
      download: z.string().optional().describe('any value: as a file'),
      log: z
        .literal('1')
        .exactOptional()
        .describe('with the log of anchors, for whoever believes its witnesses'),
      scales,
    }),
    responses: { 200: Proof },
  },
  readBoxPageNews: {
    ...read,
    summary: 'What the box page shows since.',
    query: News,
    responses: { 200: BoxPageNews },
  },
  readProofNews: {
    anyOrigin: true,
    ...read,
    summary: 'What the proof bundle has since.',
    query: News.extend({ scales }),
    responses: { 200: ProofNews },
  },
  readSummary: {
    anyOrigin: true,
    ...read,
    summary: 'Proof of how fresh the box is, of 4 KB at most, or why there is none now.',
    responses: { 200: Summary },
  },
  readAbsence: {
    anyOrigin: true,
    ...read,
    summary: 'Proof that there never was such a box: 409 when there is one.',
    responses: { 200: Absence },
    errors: [409],
  },
})

/** What these operations answer to pages that are rendered here; over HTTP the page of a box comes from kept bytes of it. */
export const boxReads = {
  listBoxes: (deps, { query, signal }) => searchBoxes(deps, query, signal),
  readBoxPage: (deps, { params }) => boxPage(deps, boxIDOf(params)),
} satisfies Reads<typeof boxOperations, BoxPageDeps & { search: Search }>

/** Boxes: whole ones in and out, lists, pages and proofs. Source: running.md 'Box interchange'. */
export function boxRoutes(
  app: FastifyInstance,
  deps: BoxPageDeps & ProofDeps & RecordingDeps & { search: Search },
): void {
  const answers = boxResponses(deps)

  registerReads(app, boxOperations, { listBoxes: boxReads.listBoxes }, deps)

  registerRoute(app, boxOperations.importBox, async ({ principal, request, reply }) => {
    const now = deps.now()
    const box = parse(boxSchema({ now, timeZone: deps.siteFile.market.timeZone }), request.body)
    assertBoxAccess(principal, box.boxID)
    const more = { by: actorId(principal), now, market: deps.siteFile.market }
    const done = await withArchive(deps, (archived) =>
      changeCatalogue(
        deps,
        (tx) => importBox(tx, box, { ...more, ...(archived && { archived }) }),
        () => false, // a new box is on no card
      ),
    )
    reply.code(done === 'created' ? 201 : 200)
    return { boxID: box.boxID }
  })

  registerRoute(app, boxOperations.readBox, ({ params, request, reply }) =>
    answers.box(request, reply, boxIDOf(params)),
  )
  registerRoute(app, boxOperations.readBoxPage, ({ params, request, reply }) =>
    answers.page(request, reply, boxIDOf(params)),
  )
  registerRoute(app, boxOperations.readProof, ({ params, query, request, reply }) => {
    const boxID = provenBoxIDOf(params)
    if (query.download !== undefined)
      reply.header('content-disposition', `attachment; filename="box-${boxID.replace(':', '-')}.proof.json"`)
    const parts = { log: query.log !== undefined, scales: query.scales !== undefined }
    return answers.proof(request, reply, boxID, parts)
  })
  registerRoute(app, boxOperations.readBoxPageNews, ({ params, query, request, reply }) =>
    answers.pageNews(request, reply, boxIDOf(params), query.after),
  )
  registerRoute(app, boxOperations.readProofNews, ({ params, query, request, reply }) =>
    answers.proofNews(request, reply, boxIDOf(params), query.after, { scales: query.scales !== undefined }),
  )
  registerRoute(app, boxOperations.readSummary, ({ params, request, reply }) =>
    answers.summary(request, reply, boxIDOf(params)),
  )
  registerRoute(app, boxOperations.readAbsence, ({ params, request, reply }) =>
    answers.absence(request, reply, provenBoxIDOf(params)),
  )
}

/** Sends one answer about one box. @throws ShopError `box.not_found` */
type SendBox<More extends unknown[] = []> = (
  request: FastifyRequest,
  reply: FastifyReply,
  boxID: string,
  ...more: More
) => Promise<FastifyReply>

/** `page` and `proof` whole; their news say what came since the client's own, which goes as far as a position. */
type BoxResponses = Record<'box' | 'absence' | 'page' | 'summary', SendBox> &
  Record<'proof', SendBox<[parts: ProofParts]>> &
  Record<'pageNews', SendBox<[after: Position]>> &
  Record<'proofNews', SendBox<[after: Position, parts: ProofParts]>>

/** The answers about boxes, each made of what is stored at that moment. */
function boxResponses(deps: BoxPageDeps & ProofDeps): BoxResponses {
  const { market } = deps.siteFile
  const sending =
    <More extends unknown[]>(make: (boxID: string, ...more: More) => Promise<string>): SendBox<More> =>
    async (request, reply, boxID, ...more) =>
      sendJson(request, reply, await make(boxID, ...more))
  return {
    box: sending(async (boxID) => JSON.stringify((await wholeBox(deps, boxID, market)).box)),
    proof: sending((boxID, parts: ProofParts) => proofBundle(deps, boxID, parts)),
    summary: sending((boxID) => boxSummary(deps, boxID)),
    absence: sending(async (boxID) => JSON.stringify(await absenceBundle(deps, boxID))),
    page: sending(async (boxID) => JSON.stringify(await boxPage(deps, boxID))),
    proofNews: sending((boxID, after: Position, parts: ProofParts) => proofNews(deps, boxID, after, parts)),
    pageNews: sending(async (boxID, after: Position) =>
      JSON.stringify(pageNews(await boxPage(deps, boxID), after)),
    ),
  }
}
