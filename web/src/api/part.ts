import type { ShopApi } from '@befaqt/domain/api/shop-api'
import { ShopError } from '@befaqt/domain/errors'
import { createContext, type RouterContextProvider } from 'react-router'
import { userMessage } from './hydration.ts'

/** Where loaders find the shop: `context.get(shopApi)`. In process on the server, by fetch in the browser. */
export const shopApi = createContext<ShopApi>()

/** Where a loader reports what failed although its page is shown without it. The server logs it. */
export const reportFailure = createContext<(error: unknown) => void>(() => undefined)

/** A part of a page: what was read, or the message why it could not be. */
export type Part<Value> = { value: Value; error: null } | { value: null; error: string }

/**
 * Reads a part that its page can do without; a failure is reported and shown in its place.
 * @throws ShopError `input.invalid`: what the address asks for is wrong, and then the page is refused, no part is missing
 */
export async function readPart<Value>(
  context: Readonly<RouterContextProvider>,
  read: () => Promise<Value>,
): Promise<Part<Value>> {
  try {
    return { value: await read(), error: null }
  } catch (error) {
    if (error instanceof ShopError && error.code === 'input.invalid') throw error
    context.get(reportFailure)(error)
    return { value: null, error: userMessage(error) }
  }
}
