import { ShopError } from '@befaqt/domain/errors'

/** What a page of managers has read, or why it could not, as the message of the red banner. */
export type Read<Data> = { data: Data; failure: null } | { data: null; failure: string }

/** Whether the page of this URL is in sight already, with all that is typed there. */
const isShown = ({ url }: Request): boolean =>
  typeof window !== 'undefined' && new URL(url).pathname === window.location.pathname

/**
 * A failed reading as a message, so that the page around it stands. Who may not read at all, or asks for
 * what is not there, gets the error screen, unless
 * the page is in sight already: a session that has ended must not take what is typed. A bug stays one.
 */
export async function readFor<Data>(request: Request, reading: Promise<Data>): Promise<Read<Data>> {
  try {
    return { data: await reading, failure: null }
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    if ([401, 403, 404].includes(error.status) && !isShown(request)) throw error
    return { data: null, failure: error.message }
  }
}
