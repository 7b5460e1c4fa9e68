import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from '#server/config/config.ts'

/** Tags in one header, and in one call that clears them: what CDNs take. */
const MAX_TAGS = 200
const MAX_TAGS_A_CALL = 30
const TIMEOUT_MS = 5_000
const AT_ONCE_MS = 3_000

/**
 * Seconds for which a copy is used as it is, and then while a new one is fetched. Where nothing clears copies, what is
 * recalled is shown for a minute at most; else a copy goes by itself should a call be lost.
 */
const UNCLEARED_S = { fresh: 30, stale: 30 }
const CLEARED_S = { fresh: 300, stale: 60 }

/** After this a copy is gone by itself, and nothing has to be cleared any more. */
export const COPIES_LAST_MS = (CLEARED_S.fresh + CLEARED_S.stale) * 1_000

/** On every public page; on those that show products of which any may be new; on those of boxes. */
export const tags = {
  pages: 'pages',
  lists: 'lists',
  boxes: 'boxes',
  product: (id: string): string => `product:${id}`,
  category: (id: string): string => `category:${id}`,
  box: (id: string): string => `box:${id}`,
} as const

/** Takes copies of what has one of these tags away. @throws Error what the CDN answered, or why it was not reached */
export type ClearCopies = (of: readonly string[], signal: AbortSignal) => Promise<void>

/** The caching proxy in front of the shop, as it is set up. */
export type Cdn = {
  /** Cache-Control of what is the same for everybody. */
  control: string
  /** Says what an answer shows. */
  tag(reply: FastifyReply, of: readonly string[]): void
  /** Null: copies go by their time alone. */
  clear: ClearCopies | null
  /** What whoever recalls a box waits for it, at most. */
  atOnceMs: number
}

type Settings = Pick<Config, 'CDN_TAG_HEADER' | 'CDN_PURGE_URL' | 'CDN_PURGE_SECRET'>

/** The CDN of the settings; null: there is none, and only browsers keep pages. */
export function openCdn({ CDN_TAG_HEADER: header, CDN_PURGE_URL, CDN_PURGE_SECRET }: Settings): Cdn | null {
  if (header === undefined) return null
  const clear =
    CDN_PURGE_URL === undefined || CDN_PURGE_SECRET === undefined
      ? null
      : clearBy(CDN_PURGE_URL, CDN_PURGE_SECRET)
  const { fresh, stale } = clear === null ? UNCLEARED_S : CLEARED_S
  const control = `public, max-age=0, s-maxage=${fresh}, stale-while-revalidate=${stale}`
  const separator = header === 'Cache-Tag' ? ',' : ' '
  const tag: Cdn['tag'] = (reply, of) =>
    void reply.header(header.toLowerCase(), of.slice(0, MAX_TAGS).join(separator))
  return { control, tag, clear, atOnceMs: AT_ONCE_MS }
}

/** One call for each part of the tags: as JSON, which some CDNs take, and in the header that others do. */
const clearBy =
  (url: string, secret: string): ClearCopies =>
  async (of, signal) => {
    for (let from = 0; from < of.length; from += MAX_TAGS_A_CALL) {
      const part = of.slice(from, from + MAX_TAGS_A_CALL)
      const answer = await fetch(url, {
        method: 'POST',
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
        headers: {
          authorization: `Bearer ${secret}`,
          'content-type': 'application/json',
          'surrogate-key': part.join(' '),
        },
        body: JSON.stringify({ tags: part }),
      })
      await answer.body?.cancel()
      if (!answer.ok) throw new Error(`the CDN answered ${answer.status}`)
    }
  }

/**
 * Nothing personal is public: an answer to somebody who is known, or that sets a cookie, never leaves as such, whatever its
 * route says.
 */
export function keepPersonalPrivate(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const control = reply.getHeader('cache-control')
    if (typeof control === 'string' && /\bpublic\b/.test(control)) {
      if (reply.hasHeader('set-cookie')) reply.header('cache-control', 'no-store')
      else if (request.principal?.kind !== 'anonymous') reply.header('cache-control', 'private, no-cache')
    }
    done(null, payload)
  })
}
