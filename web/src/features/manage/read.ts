import { ShopError } from '@befaqt/domain/errors'

/** What a page of managers has read, or why it could not, in words for the red banner. */
export type Read<Data> = { data: Data; failure: null } | { data: null; failure: string }

/**
 * A failed reading as words, so that the page around it stands. Who may not read at all gets the error screen, and
 * a bug stays one.
 */
export async function orWords<Data>(reading: Promise<Data>): Promise<Read<Data>> {
  try {
    return { data: await reading, failure: null }
  } catch (error) {
    if (!(error instanceof ShopError) || error.status === 401 || error.status === 403) throw error
    return { data: null, failure: error.message }
  }
}
