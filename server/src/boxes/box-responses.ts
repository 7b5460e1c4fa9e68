import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendJson } from '#server/http/caching/send-json.ts'
import { type BoxPageDeps, boxPage } from './box-page.ts'
import { absenceBundle, type ProofDeps, proofBundle } from './proof/proof-bundle.ts'
import { readWholeBox } from './whole-box.ts'

/** Sends one answer about one box. @throws ShopError `box.not_found` */
export type SendBox = (request: FastifyRequest, reply: FastifyReply, boxID: string) => Promise<FastifyReply>

/** The answers about boxes, each made of what is stored at that moment. */
export function boxResponses(
  deps: BoxPageDeps & ProofDeps,
): Record<'box' | 'proof' | 'absence' | 'page', SendBox> {
  const { market } = deps.siteFile
  const sending =
    (make: (boxID: string) => Promise<string>): SendBox =>
    async (request, reply, boxID) =>
      sendJson(request, reply, await make(boxID))
  return {
    box: sending(async (boxID) => JSON.stringify((await readWholeBox(deps.db, boxID, market)).box)),
    proof: sending((boxID) => proofBundle(deps, boxID)),
    absence: sending(async (boxID) => JSON.stringify(await absenceBundle(deps, boxID))),
    page: sending(async (boxID) => JSON.stringify(await boxPage(deps, boxID))),
  }
}
