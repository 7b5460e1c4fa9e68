import { type ErrorBody, type FieldError, isErrorCode, ShopError } from '@befaqt/domain/errors'

const NO_CONNECTION = 'No connection to the shop. Check your network and try again.'

/** A refused answer as the `ShopError` that the server threw; one without our body becomes `unavailable`. */
export async function refusal(response: Response): Promise<ShopError> {
  const body: Partial<ErrorBody> | null = await response.json().catch(() => null)
  const { code, message, fields, ...details } = body?.error ?? {}
  if (!isErrorCode(code)) {
    const words = typeof message === 'string' ? message : `The shop answered ${response.status}.`
    return new ShopError('unavailable', words, { details: { status: response.status } })
  }
  const list: readonly FieldError[] = Array.isArray(fields) ? fields : []
  return new ShopError(code, String(message), { fields: list, details })
}

/**
 * One call to the shop's API, answered as JSON.
 * @throws ShopError what the server said, or `unavailable` when it can't be reached
 */
export async function fetchJson<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
  const headers = { accept: 'application/json', ...init.headers }
  const response = await fetch(path, { ...init, headers }).catch((cause: unknown) => {
    throw new ShopError('unavailable', NO_CONNECTION, { cause })
  })
  if (!response.ok) throw await refusal(response)
  return response.json()
}
