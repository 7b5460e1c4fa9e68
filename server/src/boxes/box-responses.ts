import type { FastifyReply, FastifyRequest } from 'fastify'
import { JsonCache } from '#server/http/caching/json-cache.ts'
import { type BoxPageDeps, boxPage } from './box-page.ts'
import { type BoxStampDeps, boxVersions } from './box-version.ts'
import { proofBundle, treeCache } from './proof/proof-bundle.ts'
import { readWholeBox } from './whole-box.ts'

/** Bytes of kept answers: those of some 75 boxes of 500 records. */
const CACHE_BYTES = 16 * 1024 * 1024

/** Sends one answer about one box. @throws ShopError `box.not_found` */
export type SendBox = (request: FastifyRequest, reply: FastifyReply, boxID: string) => Promise<FastifyReply>

/** The answers about boxes, made once for each state of a box. Every request reads its stamp, so none is stale. */
export function boxResponses(deps: BoxPageDeps & BoxStampDeps): Record<'box' | 'proof' | 'page', SendBox> {
  const kept = new JsonCache(CACHE_BYTES)
  const onSale = new JsonCache(CACHE_BYTES) // pages name what is on sale, which is in no stamp
  deps.catalogue.onChange(() => onSale.clear())
  const stamps = boxVersions(deps)
  const trees = treeCache()
  const box = async (boxID: string) =>
    JSON.stringify((await readWholeBox(deps.db, boxID, deps.siteFile.market)).box)
  const page = async (boxID: string) => JSON.stringify(await boxPage(deps, boxID))
  return {
    box: async (request, reply, boxID) =>
      kept.send(request, reply, { resource: `box ${boxID}`, version: await stamps.ofBox(boxID) }, () =>
        box(boxID),
      ),
    proof: async (request, reply, boxID) =>
      kept.send(request, reply, { resource: `proof ${boxID}`, version: await stamps.ofBox(boxID) }, () =>
        proofBundle(deps, trees, boxID),
      ),
    page: async (request, reply, boxID) =>
      onSale.send(request, reply, { resource: boxID, version: await stamps.ofPage(boxID) }, () =>
        page(boxID),
      ),
  }
}
