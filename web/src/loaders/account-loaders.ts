import type { EmailChangeView, PasskeyView, ProfileView, SessionView } from '@befaqt/domain/api/account-api'
import type { Paged } from '@befaqt/domain/api/box-api'
import {
  listPasskeys,
  listSessions,
  readEmailChange,
  readProfile,
} from '@befaqt/domain/api/endpoints/account'
import {
  listOwnOrders,
  listOwnWaiting,
  listSlots,
  readComplaints,
  readOrder,
  readOrderBoxes,
} from '@befaqt/domain/api/endpoints/orders'
import { readViewer } from '@befaqt/domain/api/endpoints/shop'
import type { OrderRow, SlotView } from '@befaqt/domain/api/order-api'
import type { ShopApi } from '@befaqt/domain/api/shop-api'
import type { WaitingOrder } from '@befaqt/domain/api/waiting-order-api'
import { ShopError } from '@befaqt/domain/errors'
import { isWaitingOrder } from '@befaqt/domain/statuses'
import { type LoaderFunctionArgs, redirect } from 'react-router'
import { hearViewer } from '#web/api/heard-viewer.ts'
import { type Part, readPart, shopApi } from '#web/api/part.ts'
import { safeRedirectPath } from '#web/features/account/safe-redirect.ts'
import type { OrderData, WaitingData } from '#web/features/order/order-calls.ts'
import type { RouteData } from './shop-loaders.ts'

/** Each kind by itself: a list of slots is limited. */
async function readSlots(call: ShopApi) {
  const lists = await Promise.all([
    call(listSlots, { query: { kind: 'pickup' } }),
    call(listSlots, { query: { kind: 'delivery' } }),
  ])
  return lists.flat()
}

const readOwn = async (call: ShopApi) => ((await call(readViewer)) === null ? null : call(readProfile))

export type CheckoutData = { slots: Part<SlotView[]>; profile: ProfileView | null }

/** What fails of it is said in its place: what is in the cart and what was typed stays. */
async function checkout({ context }: LoaderFunctionArgs): Promise<CheckoutData> {
  const call = context.get(shopApi)
  const [slots, profile] = await Promise.all([
    readPart(context, () => readSlots(call)),
    readPart(context, () => readOwn(call)),
  ])
  return { slots, profile: profile.value }
}

/** One's own order by the session, or any by the key of its signed link. */
async function order({ params, request, context }: LoaderFunctionArgs): Promise<OrderData | WaitingData> {
  const call = context.get(shopApi)
  const asked = new URL(request.url).searchParams
  const key = asked.get('key') ?? undefined
  const input = { params: { id: params.id ?? '' }, query: key === undefined ? {} : { key } }
  const order = await call(readOrder, input)
  const byLink = { link: key ?? null, confirm: asked.get('confirm') }
  if (isWaitingOrder(order)) return { waiting: order, ...byLink }
  const hasBoxes = order.status === 'PLACED' || order.lines.some(({ boxes }) => boxes.length > 0)
  const [boxes, complaints] = await Promise.all([
    readPart(context, async () => (hasBoxes ? call(readOrderBoxes, input) : [])),
    readPart(context, () => call(readComplaints, input)),
  ])
  return { order, boxes, complaints, ...byLink }
}

/** What needs a session: without one it leads to the sign-in, which leads back to `path`. */
async function orSignIn<Data>(path: string, read: Promise<Data>): Promise<Data | Response> {
  try {
    return await read
  } catch (error) {
    if (error instanceof ShopError && error.code === 'auth.required')
      return redirect(`/user/signin?next=${path}`)
    throw error
  }
}

/** What the page of one's own orders reads. */
export type OrdersData = { orders: Paged<OrderRow>; waiting: Part<WaitingOrder[]> }

const ORDERS = 20

/** Own orders; above the newest of them what waits to be confirmed, without which the rest is shown, too. */
function orders({ request, context }: LoaderFunctionArgs): Promise<OrdersData | Response> {
  const call = context.get(shopApi)
  const page = Number(new URL(request.url).searchParams.get('page') ?? '1')
  const readWaiting = () => call(listOwnWaiting).catch(emptyWithoutSession)
  const parts = Promise.all([
    call(listOwnOrders, { query: { page, size: ORDERS } }),
    readPart(context, async () => (page === 1 ? readWaiting() : [])),
  ])
  return orSignIn(
    '/user/order',
    parts.then(([orders, waiting]) => ({ orders, waiting })),
  )
}

/** The list beside it leads to the sign-in then. */
function emptyWithoutSession(error: unknown): [] {
  if (error instanceof ShopError && error.code === 'auth.required') return []
  throw error
}

export type ProfileData = {
  profile: ProfileView
  emailChange: EmailChangeView | null
  sessions: SessionView[]
  passkeys: PasskeyView[]
}

function profile({ context }: LoaderFunctionArgs): Promise<ProfileData | Response> {
  const call = context.get(shopApi)
  const parts = Promise.all([
    call(readProfile),
    call(readEmailChange),
    call(listSessions),
    call(listPasskeys),
  ])
  return orSignIn(
    '/user/profile',
    parts.then(([profile, emailChange, sessions, passkeys]) => ({
      profile,
      emailChange,
      sessions,
      passkeys,
    })),
  )
}

/** Somebody who is logged in already, maybe in another tab, goes on at once. */
async function signIn({ request, context }: LoaderFunctionArgs): Promise<Response | null> {
  const viewer = await context
    .get(shopApi)(readViewer)
    .catch(() => null)
  if (viewer) hearViewer({ viewer })
  return viewer && redirect(safeRedirectPath(new URL(request.url).searchParams.get('next')))
}

export const accountData = {
  checkout: { loader: checkout },
  'user.order': { loader: orders },
  'user.order.$id': { loader: order },
  'user.profile': { loader: profile },
  // Who has just logged in here goes on by the form, once the navigation bar knows.
  'user.signin': { loader: signIn, shouldRevalidate: () => false },
} satisfies Record<string, RouteData>
