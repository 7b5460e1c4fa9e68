import type { InputOf } from '@befaqt/domain/api/endpoint'
import type { placeOrder } from '@befaqt/domain/api/endpoints/order-page'
import { dropDraft, storeDraft, storedDraft } from '#web/forms/stored-drafts.ts'

/** What is typed, by the fields' names. */
export type Typed = Readonly<Record<string, string>>

export type OrderBody = InputOf<typeof placeOrder>['body']
/** An order on its way: the same key goes with the same body, however often it is sent. */
export type Attempt = { key: string; body: OrderBody }

const [TYPED, ATTEMPT, HOLD] = ['checkout typed', 'checkout attempt', 'checkout hold']

export const typedDraft = (): Typed => storedDraft<Typed>(TYPED) ?? {}
export const storeTyped = (typed: Typed): void => storeDraft(TYPED, typed)

/** The order that was sent and of which no answer has come; null: there is none. */
export const openAttempt = (): Attempt | null => storedDraft<Attempt>(ATTEMPT)
export const storeAttempt = (attempt: Attempt): void => storeDraft(ATTEMPT, attempt)
export const dropAttempt = (): void => dropDraft(ATTEMPT)

/** The hold of this tab's checkout, also of the page before a reload. */
export const storedHold = (): string | null => storedDraft<string>(HOLD)
export const storeHold = (id: string): void => storeDraft(HOLD, id)

/** After an order was placed; who orders again finds contact and address as they were. */
export function dropPlaced(): void {
  const { slot: _slot, day: _day, note: _note, coupon: _coupon, keep: _keep, ...again } = typedDraft()
  storeTyped(again)
  dropAttempt()
  dropDraft(HOLD)
}

/** A key that nobody else has: 128 random bits. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
