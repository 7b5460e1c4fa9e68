import { ShopError } from '@befaqt/domain/errors'
import type { RouterContextProvider } from 'react-router'
import { reportFailure } from './context.ts'
import { userMessage } from './hydration.ts'

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
