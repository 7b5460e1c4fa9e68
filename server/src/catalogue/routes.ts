import * as endpoints from '@befaqt/domain/api/endpoints/shop'
import {
  CategoryView,
  ProductCard,
  ProductDetail,
  ProductSuggestions,
  ProductView,
  ProductWindow,
  RelatedProducts,
} from '@befaqt/domain/catalogue'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type CachedResponse, cachedResponse, sendCached } from '#server/http/caching/cached-response.ts'
import { defineRoutes, type Reads, registerReads } from '#server/http/route.ts'
import { detailOf } from './kitchen.ts'
import { relatedTo } from './related.ts'
import {
  freshestCards,
  ProductIds,
  productWindow,
  type ShelfDeps,
  ShelfQuery,
  SuggestionsQuery,
  suggestProducts,
} from './shelf.ts'

/** Browsers keep a response but revalidate it each time, so that a changed price shows in the next one. */
const read = { access: 'public', limits: 'read', skipAuthentication: true, cache: 'no-cache' } as const

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
  listRelated: {
    ...read,
    summary:
      'Other products that one may want beside or instead of one, with why: at most four, all in stock.',
    responses: { 200: z.array(RelatedProducts) },
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
    summary: 'One product, and how it is kept and cooked.',
    responses: { 200: ProductDetail },
  },
})

/** Answers that are a part of the snapshot. */
const partsOfSnapshot = {
  readProductsOnSale: async ({ catalogue }) => (await catalogue.snapshot()).products,
  readCategoriesOnSale: async ({ catalogue }) => (await catalogue.snapshot()).categories,
  readCategoryByTitle: async ({ catalogue }, { params }) =>
    (await catalogue.snapshot()).categoryByTitle(params.catTitle),
  readProductsOfCategory: async ({ catalogue }, { params }) =>
    (await catalogue.snapshot()).productsOf(params.id),
  readProduct: async ({ catalogue }, { params }) => detailOf((await catalogue.snapshot()).product(params.id)),
} satisfies Reads<typeof catalogueOperations, ShelfDeps>

/** Answers that are made for each request. */
const made = {
  listProductsOnSale: (deps, { query }) => productWindow(deps, query),
  listFreshestToday: freshestCards,
  suggestProducts: (deps, { query }) => suggestProducts(deps, query),
  listRelated: async ({ catalogue }, { params }) => {
    const { products, among } = await catalogue.snapshot()
    return among([params.id]).flatMap((product) => relatedTo(products, product))
  },
  readProductsByIds: async ({ catalogue }, { query }) => (await catalogue.snapshot()).among(query.ids),
} satisfies Reads<typeof catalogueOperations, ShelfDeps>

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const catalogueReads = { ...partsOfSnapshot, ...made }

/**
 * The read routes of spec §7. What is a part of the snapshot is sent from a cache of compressed responses, whose key is
 * that part, however the URL is spelled, so responses are dropped with their snapshot.
 */
export function catalogueRoutes(app: FastifyInstance, deps: ShelfDeps): void {
  const responses = new WeakMap<object, Promise<CachedResponse>>()

  function responseOf(part: object): Promise<CachedResponse> {
    const cached = responses.get(part)
    if (cached !== undefined) return cached
    const response = cachedResponse(JSON.stringify(part), 'application/json; charset=utf-8')
    responses.set(part, response)
    response.catch(() => responses.delete(part))
    return response
  }

  registerReads(app, catalogueOperations, made, deps)
  registerReads(app, catalogueOperations, partsOfSnapshot, deps, async (request, reply, part) =>
    sendCached(request, reply, await responseOf(part as object), read.cache),
  )
}
