import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { ShopError } from '@befaqt/domain/errors'
import { MAX_FILE_BYTES, MAX_FILE_MB } from '@befaqt/domain/upload-limits'
import { receiveBody } from '#server/http/received-file.ts'
import { checkedLookup, webhookUrlError } from '#server/webhooks/webhook-request.ts'

/** From the first look for its address to its last byte. */
const TIMEOUT_MS = 30_000
const MAX_ADDRESS = 2_000

/** Thrown where trying again would come to the same. */
export class PictureRefused extends Error {
  override name = 'PictureRefused'
}

/** Does a cell name a picture by its address, not by a file that came along? */
export const isAddress = (name: string): boolean => /^[a-z][a-z\d+.-]*:\/\//i.test(name)

/** Why nothing is fetched from an address; undefined: it may be. @param allowed hosts of our own network */
export const pictureAddressError = (address: string, allowed: readonly string[]): string | undefined =>
  address.length > MAX_ADDRESS
    ? `must have at most ${MAX_ADDRESS.toLocaleString('en-AU')} characters`
    : webhookUrlError(address, allowed)

/** Answers after which a later one may be another: too early, too often, out of order. */
const mayCome = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status)

type Fetching = { allowed: readonly string[]; signal: AbortSignal; timeoutMs?: number }

/**
 * Fetches what is at an address to a file, without following redirects, and whatever it says that it is: who decodes it
 * finds out. The address that a name leads to is checked where it is connected to.
 * @param path of the file
 * @throws PictureRefused for good; Error where it may come later
 */
export async function fetchPicture(
  address: string,
  path: string,
  { allowed, signal, timeoutMs = TIMEOUT_MS }: Fetching,
): Promise<void> {
  const problem = pictureAddressError(address, allowed)
  if (problem !== undefined) throw new PictureRefused(`The address ${problem}.`)
  const { hostname, protocol } = new URL(address)
  const limit = AbortSignal.timeout(timeoutMs)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const call = (protocol === 'https:' ? httpsRequest : httpRequest)(address, {
    agent: false, // each is looked up and checked anew
    headers: { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': 'BeFAQT' },
    signal: AbortSignal.any([signal, limit]),
    lookup: checkedLookup(allowed.includes(hostname)),
  })
  call.on('error', reject)
  call.on('response', (response) => {
    const { statusCode = 0, headers } = response
    const refusal = refusalOf(statusCode, Number(headers['content-length'] ?? 0))
    if (refusal === undefined) receiveBody(response, path, MAX_FILE_BYTES, TOO_LARGE).then(resolve, reject)
    else {
      response.destroy()
      reject(refusal)
    }
  })
  call.end()
  try {
    await promise
  } catch (error) {
    call.destroy()
    signal.throwIfAborted()
    if (limit.aborted) throw new Error(`It took longer than ${timeoutMs / 1_000} s.`)
    if (error instanceof ShopError && error.code === 'input.too_large') throw new PictureRefused(TOO_LARGE)
    throw error
  }
}

const TOO_LARGE = `It has more than ${MAX_FILE_MB} MB.`

function refusalOf(status: number, length: number): Error | undefined {
  if (status >= 300 && status < 400)
    return new PictureRefused(`It answered ${status}: name the address that it leads to.`)
  if (status !== 200)
    return mayCome(status)
      ? new Error(`It answered ${status}.`)
      : new PictureRefused(`It answered ${status}.`)
  return length > MAX_FILE_BYTES ? new PictureRefused(TOO_LARGE) : undefined
}
