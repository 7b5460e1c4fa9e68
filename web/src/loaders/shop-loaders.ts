import type { BoxListRow, BoxPageView, Paged } from '@befaqt/domain/api/box-api'
import { listBoxes, readBoxPage } from '@befaqt/domain/api/endpoints/boxes'
import { listNextSlots } from '@befaqt/domain/api/endpoints/orders'
import {
  listFreshestToday,
  listProductsOnSale,
  listRelated,
  readCategoryByTitle,
  readContent,
  readProduct,
} from '@befaqt/domain/api/endpoints/shop'
import type { NextSlot } from '@befaqt/domain/api/order-api'
import type { ContentPage } from '@befaqt/domain/api/site-api'
import type {
  CategoryView,
  ProductCard,
  ProductDetail,
  ProductWindow,
  RelatedProducts,
} from '@befaqt/domain/catalogue'
import { ShopError } from '@befaqt/domain/errors'
import { HOME_WINDOW, MAX_SEARCH, SHELF_WINDOW } from '@befaqt/domain/limits'
import { boxPath, titleKey } from '@befaqt/domain/page-paths'
import { YES } from '@befaqt/domain/shelf-choices'
import {
  data,
  type LoaderFunction,
  type LoaderFunctionArgs,
  redirect,
  type ShouldRevalidateFunction,
  type ShouldRevalidateFunctionArgs,
} from 'react-router'
import { type Part, readPart, shopApi } from '#web/api/part.ts'
import { boxNumber, isBoxNumber } from '#web/features/box/find/box-number.ts'
import { choicesIn, tidied } from '#web/features/catalogue/list-address.ts'

/** What a page fetches, and when it does so again. */
export type RouteData = { loader: LoaderFunction; shouldRevalidate?: ShouldRevalidateFunction }

/** What is freshest and the next times are left out where they could not be had. */
export type HomeData = {
  products: Part<ProductWindow>
  freshest: Part<ProductCard[]>
  slots: Part<NextSlot[]>
  landing: ContentPage
}

/** What an empty cart offers, in what the server sends alone: who opens the cart by a click shouldn't wait for it. */
export type CartData = { freshest: ProductCard[] | null }

async function cart({ context }: LoaderFunctionArgs): Promise<CartData> {
  if (!import.meta.env.SSR) return { freshest: null }
  return { freshest: (await readPart(context, () => context.get(shopApi)(listFreshestToday))).value }
}

/** A page of words, by its name in the shop's content. */
const about = ({ params, context }: LoaderFunctionArgs): Promise<ContentPage> =>
  context.get(shopApi)(readContent, { params: { '*': `about/${params.page}` } })

/** The page of a list that a URL asks for, as far as lists are read by numbers; odd values ask for the first. */
const pageIn = (query: URLSearchParams): number =>
  Math.max(1, Math.min(500, Math.floor(Number(query.get('page'))) || 1))

const FILTERS = ['q', 'category', 'stock', 'min', 'max', 'fresh', 'sort']

/** Without what nobody types, which the API refuses. */
const plainText = (text: string): string =>
  text
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, MAX_SEARCH)

/** What is chosen, as it is written: the API refuses what is wrong in it. With what else can be chosen. */
const choiceQuery = (params: URLSearchParams): object => ({
  ...Object.fromEntries(choicesIn(params)),
  facets: YES,
  page: pageIn(params),
  size: SHELF_WINDOW,
})

/** The query for one window of the products that an address of /product asks for. */
const shelfQuery = (params: URLSearchParams): object => ({
  ...choiceQuery(params),
  ...Object.fromEntries(FILTERS.map((name) => [name, plainText(params.get(name) ?? '')])),
})

/** Without the products the landing page is shown all the same, as a failed page that nobody keeps. */
async function home({ context }: LoaderFunctionArgs) {
  const call = context.get(shopApi)
  const [products, freshest, slots, landing] = await Promise.all([
    readPart(context, () => call(listProductsOnSale, { query: { size: HOME_WINDOW } })),
    readPart(context, () => call(listFreshestToday)),
    readPart(context, () => call(listNextSlots)),
    call(readContent, { params: { '*': 'landing' } }),
  ])
  const page: HomeData = { products, freshest, slots, landing }
  return products.error === null ? page : data(page, { status: 503 })
}

export type CategoryData = { category: CategoryView; products: Part<ProductWindow> }

/** Without its products a category is shown all the same, as a failed page that nobody keeps. */
async function category({ params, context, request }: LoaderFunctionArgs) {
  const { pathname, searchParams: asked } = new URL(request.url)
  const tidy = tidied(asked)
  if (tidy !== null) return redirect(tidy === '' ? pathname : `${pathname}?${tidy}`)
  const call = context.get(shopApi)
  const category = await call(readCategoryByTitle, { params: { catTitle: params.catTitle ?? '' } })
  const query = {
    ...choiceQuery(asked),
    category: titleKey(category.title).slice(0, MAX_SEARCH),
  }
  const products = await readPart(context, () => call(listProductsOnSale, { query }))
  const shown: CategoryData = { category, products }
  return products.error === null ? shown : data(shown, { status: 503 })
}

/** A search that can only be for a box leads to its page, an address with what says nothing to the one without it. */
async function products({ request, context }: LoaderFunctionArgs): Promise<ProductWindow | Response> {
  const params = new URL(request.url).searchParams
  const asked = tidied(params)
  if (asked !== null) return redirect(asked === '' ? '/product' : `/product?${asked}`)
  const q = params.get('q')?.trim() ?? ''
  return isBoxNumber(q)
    ? redirect(boxPath(q))
    : context.get(shopApi)(listProductsOnSale, { query: shelfQuery(params) })
}

export type ProductData = { product: ProductDetail; related: Part<RelatedProducts[]> }

/** Without what is related to it a product is shown all the same. */
async function product({ params, context }: LoaderFunctionArgs): Promise<ProductData> {
  const call = context.get(shopApi)
  const asked = { params: { id: params.product_id ?? '' } }
  const read = Promise.all([call(readProduct, asked), readPart(context, () => call(listRelated, asked))])
  // After what is always waited for; and waited for where it is shown, for it moves what is below it when it comes later.
  const choice = import.meta.env.SSR ? undefined : import('#web/features/cart/preparation-choice.tsx')
  choice?.catch(() => undefined)
  const [product, related] = await read
  if (product.preparations.length > 0) await choice?.catch(() => undefined)
  return { product, related }
}

const box = ({ params, context }: LoaderFunctionArgs): Promise<BoxPageView> =>
  context.get(shopApi)(readBoxPage, { params: { boxID: params.id ?? '' } })

/** Showing more rows of the same box asks for nothing. */
const boxAgain = ({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean =>
  currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search
    ? false
    : defaultShouldRevalidate

export type BoxesData = { found: Paged<BoxListRow>; q: string }

const BOXES = 20

/** A search that names one box leads to it; any other lists what fits. */
async function boxes({ request, context }: LoaderFunctionArgs): Promise<BoxesData | Response> {
  const query = new URL(request.url).searchParams
  const q = (query.get('q') ?? '').trim().slice(0, 100)
  const page = pageIn(query)
  const found = await context.get(shopApi)(listBoxes, { query: { page, size: BOXES, ...(q && { q }) } })
  const named = q === '' ? undefined : found.rows.find(({ boxID }) => boxID === q || found.total === 1)
  return named ? redirect(boxPath(named.boxID)) : { found, q }
}

export type BoxCheckData = { typed: string; problem?: string }

/** A number leads to the page of its box, known or not. */
function boxCheck({ request }: LoaderFunctionArgs): BoxCheckData | Response {
  const typed = new URL(request.url).searchParams.get('number')?.slice(0, 500)
  if (typed === undefined) return { typed: '' }
  const number = boxNumber(typed)
  if (number !== null) return redirect(boxPath(number))
  const problem =
    typed.trim() === ''
      ? 'Type the number that is printed under the code.'
      : 'A box number has letters, digits, dots and dashes, and no spaces.'
  return { typed, problem }
}

/** Any other path. The error screen says '404: Page not found'. Source: spec §2. */
function notFound(): never {
  throw new ShopError('not_found', 'We can’t find that page.')
}

/** What an email about stock leads to confirms or stops; nothing else is an address. */
const notice = ({ params: { act } }: LoaderFunctionArgs): null =>
  act === 'confirm' || act === 'stop' ? null : notFound()

export const shopData = {
  home: { loader: home },
  'about.$page': { loader: about },
  'category.$catTitle': { loader: category },
  product: { loader: products },
  'product.$product_id': { loader: product },
  'sfm-box.by-id': { loader: boxes },
  'sfm-box.by-id.$id': { loader: box, shouldRevalidate: boxAgain },
  'sfm-box.check': { loader: boxCheck },
  cart: { loader: cart, shouldRevalidate: () => false },
  'user.notice': { loader: notice },
  'not-found': { loader: notFound },
} satisfies Record<string, RouteData>
