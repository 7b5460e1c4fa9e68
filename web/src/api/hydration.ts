import { type ErrorCode, isErrorCode, ShopError } from '@befaqt/domain/errors'

/** What the browser needs to carry on where the server's page stops. */
type PageState = {
  loaderData: Record<string, unknown>
  /** What became of a form that the page sent without its script (`SentForm`), by route. */
  actionData?: Record<string, unknown>
  errors: Record<string, unknown> | null
}
type WrittenError = { code?: ErrorCode; message: string }

/** The message for visitors about a failure that is a bug. The log has the rest. */
const UNKNOWN_FAILURE = 'Something went wrong.'

/** The message for a visitor: a `ShopError`'s own, of anything else nothing but that it happened. */
export const userMessage = (error: unknown): string =>
  error instanceof ShopError ? error.message : UNKNOWN_FAILURE

const written = (error: unknown): WrittenError => ({
  ...(error instanceof ShopError && { code: error.code }),
  message: userMessage(error),
})

const revived = (error: unknown): unknown => {
  if (typeof error !== 'object' || error === null || !('message' in error)) return new Error(UNKNOWN_FAILURE)
  const message = String(error.message)
  return 'code' in error && isErrorCode(error.code) ? new ShopError(error.code, message) : new Error(message)
}

const mapErrors = (errors: Record<string, unknown> | null, change: (error: unknown) => unknown) =>
  errors && Object.fromEntries(Object.entries(errors).map(([route, error]) => [route, change(error)]))

/** JSON that may be put inside a script element: `<` is escaped, so that no value can end the element. */
const scriptJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

/** Page state as text for the page; failures hold only what a visitor may know. */
export const writeState = ({ errors, ...data }: PageState): string =>
  scriptJson({ ...data, errors: mapErrors(errors, written) })

/** Page state from the text that `writeState` made; failures are `ShopError`s again. */
export const readState = (text: string): PageState => {
  const { errors, ...data }: PageState = JSON.parse(text)
  return { ...data, errors: mapErrors(errors, revived) }
}
