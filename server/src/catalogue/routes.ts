import * as endpoints from '@befaqt/domain/api/endpoints/catalogue'
import {
  CategoryView,
  ProductCard,
  ProductSuggestions,
  ProductView,
  ProductWindow,
} from '@befaqt/domain/catalogue'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type CachedResponse, cachedResponse, sendCached } from '#server/http/caching/cached-response.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import {
  freshestCards,
  ProductIds,
  productWindow,
  type ShelfDeps,
  ShelfQuery,
  SuggestionsQuery,
  suggestProducts,
} from './shelf.ts'
import type { Snapshot } from './snapshot.ts'

/** Browsers cache a response but revalidate it each time, so that a changed price shows in the next response. */
const REVALIDATE = 'no-cache'

const read = { access: 'public', limits: 'read', skipAuthentication: true } as const

export const catalogueOperations = defineRoutes(endpoints, {
  readProductsOnSale: {
    ...read,
    summary: 'All products on sale.',
    responses: { 200: z.array(ProductView) },
  },
  listProductsOnSale: {
    ...read,
    summary: 'One page of the products on sale, filtered and sorted.',
    query: ShelfQuery,
    responses: { 200: ProductWindow },
  },
  listFreshestToday: {
    ...read,
    summary: 'What can be bought today and is freshest: at most four products, each of another box.',
    responses: { 200: z.array(ProductCard) },
  },
  suggestProducts: {
    ...read,
    summary: 'What a search that is still being typed may mean.',
    query: SuggestionsQuery,
    responses: { 200: ProductSuggestions },
  },
  readProductsByIds: {
    ...read,
    summary: 'Those of some products that are on sale.',
    query: ProductIds,
    responses: { 200: z.array(ProductView) },
  },
  readCategoriesOnSale: {
    ...read,
    summary: 'Active categories.',
    responses: { 200: z.array(CategoryView) },
  },
  readCategoryByTitle: {
    ...read,
    summary: 'A category by its title, white space ignored.',
    responses: { 200: CategoryView },
  },
  readProductsOfCategory: {
    ...read,
    summary: 'Products of a category.',
    responses: { 200: z.array(ProductView) },
  },
  readProduct: {
    ...read,
    summary: 'One product.',
    responses: { 200: ProductView },
  },
})

/**
 * The read routes of spec §7, served from a cache of compressed responses. The cache key is the part of the snapshot that
 * a response shows, however the URL is spelled, so responses are dropped with their snapshot.
 */
export function catalogueRoutes(app: FastifyInstance, deps: ShelfDeps): void {
  const responses = new WeakMap<object, Promise<CachedResponse>>()

  function responseOf(picked: object): Promise<CachedResponse> {
    const cached = responses.get(picked)
    if (cached !== undefined) return cached
    const made = cachedResponse(JSON.stringify(picked), 'application/json; charset=utf-8')
    responses.set(picked, made)
    made.catch(() => responses.delete(picked))
    return made
  }

  const send = async (request: FastifyRequest, reply: FastifyReply, pick: (snapshot: Snapshot) => object) => {
    const snapshot = await deps.catalogue.snapshot()
    return sendCached(request, reply, await responseOf(pick(snapshot)), REVALIDATE)
  }

  registerRoute(app, catalogueOperations.readProductsOnSale, ({ request, reply }) =>
    send(request, reply, (snapshot) => snapshot.products),
  )
  registerRoute(app, catalogueOperations.listProductsOnSale, ({ query, reply }) => {
    reply.header('cache-control', REVALIDATE)
    return productWindow(deps, query)
  })
  registerRoute(app, catalogueOperations.listFreshestToday, ({ reply }) => {
    reply.header('cache-control', REVALIDATE)
    return freshestCards(deps)
  })
  registerRoute(app, catalogueOperations.suggestProducts, ({ query, reply }) => {
    reply.header('cache-control', REVALIDATE)
    return suggestProducts(deps, query)
  })
  registerRoute(app, catalogueOperations.readProductsByIds, async ({ query, reply }) => {
    const snapshot = await deps.catalogue.snapshot()
    reply.header('cache-control', REVALIDATE)
    return snapshot.among(query.ids)
  })
  registerRoute(app, catalogueOperations.readCategoriesOnSale, ({ request, reply }) =>
    send(request, reply, (snapshot) => snapshot.categories),
  )
  registerRoute(app, catalogueOperations.readCategoryByTitle, ({ request, reply, params }) =>
    send(request, reply, (snapshot) => snapshot.categoryByTitle(params.catTitle)),
  )
  registerRoute(app, catalogueOperations.readProductsOfCategory, ({ request, reply, params }) =>
    send(request, reply, (snapshot) => snapshot.productsOf(params.id)),
  )
  registerRoute(app, catalogueOperations.readProduct, ({ request, reply, params }) =>
    send(request, reply, (snapshot) => snapshot.product(params.id)),
  )
}
