import { randomBytes } from 'node:crypto'
import { FormatError } from '@befaqt/provenance'
import { checkedAnswer, stampRequest } from '@befaqt/provenance/evidence/ask-stamp'
import { type Certificate, CertificateFault, nameOf } from '@befaqt/provenance/evidence/certificates'
import { MAX_TIME_STAMP, StampFault } from '@befaqt/provenance/evidence/time-stamp'
import { AnswerTooLong, ask } from '@befaqt/provenance/log/ask'

/** What was not got, in a sentence that anybody may read. */
export class NotStamped extends Error {}

/** Who is asked, in which terms. */
export type AuthorityTerms = {
  url: string
  trusted: readonly Certificate[] | undefined
  timeoutMs: number
  signal: AbortSignal
  now: () => Date
}

/** The address to ask, and what proves to it who asks: user name and password can't be in the address of a request. */
function addressOf(given: string): { url: string; headers: Record<string, string> } {
  const url = new URL(given)
  const { username, password } = url
  url.username = ''
  url.password = ''
  const known = [username, password].map(decodeURIComponent).join(':')
  return {
    url: url.href,
    headers: username === '' ? {} : { authorization: `Basic ${Buffer.from(known).toString('base64')}` },
  }
}

/**
 * An authority's time stamp of these bytes: the answer as it is kept, whose it is and the time that it says. All of it was
 * checked. @throws NotStamped
 */
export async function timeStampOf(bytes: Uint8Array, terms: AuthorityTerms) {
  const { trusted, timeoutMs, signal, now } = terms
  const { url, headers } = addressOf(terms.url)
  const nonce = randomBytes(8)
  const fromMs = now().getTime()
  try {
    const answer = await ask(url, {
      body: Uint8Array.from(stampRequest(bytes, nonce)),
      headers: {
        'content-type': 'application/timestamp-query',
        accept: 'application/timestamp-reply',
        ...headers,
      },
      maxBytes: MAX_TIME_STAMP,
      timeoutMs,
      signal,
    })
    if (answer.status !== 200) throw new NotStamped(`It answers with status ${answer.status}.`)
    const untilMs = now().getTime()
    const { kept, stamp } = checkedAnswer(answer.body, { bytes, nonce, fromMs, untilMs, trusted })
    return { tsr: kept, stampedBy: nameOf(stamp.signer), stampedAt: new Date(stamp.timeMs) }
  } catch (error) {
    signal.throwIfAborted()
    throw new NotStamped(wordsOf(error))
  }
}

/** None of these are a library's own words. */
export function wordsOf(error: unknown): string {
  if (error instanceof NotStamped || error instanceof StampFault || error instanceof CertificateFault)
    return error.message
  if (error instanceof FormatError) return `Its answer can’t be read: ${error.message}.`
  return error instanceof AnswerTooLong ? 'Its answer is too long.' : 'It could not be reached.'
}
