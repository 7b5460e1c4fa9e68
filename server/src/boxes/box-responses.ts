import { pageNews } from '@befaqt/domain/box-page-news'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendJson } from '#server/http/caching/cached-response.ts'
import { type BoxPageDeps, boxPage } from './box-page.ts'
import type { Position } from './position.ts'
import { absenceBundle, type ProofDeps, proofBundle, proofNews } from './proof/proof-bundle.ts'
import { readWholeBox } from './whole-box.ts'

/** Sends one answer about one box. @throws ShopError `box.not_found` */
type SendBox<More extends unknown[] = []> = (
  request: FastifyRequest,
  reply: FastifyReply,
  boxID: string,
  ...more: More
) => Promise<FastifyReply>

/** `page` and `proof` whole; their news say what came since the client's own, which goes as far as a position. */
export type BoxResponses = Record<'box' | 'proof' | 'absence' | 'page', SendBox> &
  Record<'proofNews' | 'pageNews', SendBox<[after: Position]>>

/** The answers about boxes, each made of what is stored at that moment. */
export function boxResponses(deps: BoxPageDeps & ProofDeps): BoxResponses {
  const { market } = deps.siteFile
  const sending =
    <More extends unknown[]>(make: (boxID: string, ...more: More) => Promise<string>): SendBox<More> =>
    async (request, reply, boxID, ...more) =>
      sendJson(request, reply, await make(boxID, ...more))
  return {
    box: sending(async (boxID) => JSON.stringify((await readWholeBox(deps.db, boxID, market)).box)),
    proof: sending((boxID) => proofBundle(deps, boxID)),
    absence: sending(async (boxID) => JSON.stringify(await absenceBundle(deps, boxID))),
    page: sending(async (boxID) => JSON.stringify(await boxPage(deps, boxID))),
    proofNews: sending((boxID, after: Position) => proofNews(deps, boxID, after)),
    pageNews: sending(async (boxID, after: Position) =>
      JSON.stringify(pageNews(await boxPage(deps, boxID), after)),
    ),
  }
}
