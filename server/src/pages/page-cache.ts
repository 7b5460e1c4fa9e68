import { type CachedResponse, cachedResponse, sizeOf } from '#server/http/caching/cached-response.ts'
import { Doorkeeper, InvalidatingCache } from '#server/http/caching/invalidating-cache.ts'

/** A rendered page, or the target of its loader's redirect. */
export type Page = { status: number; html: Buffer; redirect?: string; tags?: readonly string[] }
export type CachedPage = CachedResponse & Pick<Page, 'redirect' | 'tags'>

export const HTML = 'text/html; charset=utf-8'
/** Bytes of all pages, each plain, as Brotli and as gzip: about 150 home pages, or 750 smaller ones. */
const CACHE_BYTES = 32 * 1024 * 1024
/** URLs remembered by the doorkeeper. */
const DOORKEEPER_KEYS = 4_000

/**
 * Cache of public pages, until the catalogue changes. A page is cached from its second request on: the number of URLs
 * is unbounded (`?utm_source=…`, other spellings), and most are requested once.
 */
export class PageCache {
  readonly #pages = new InvalidatingCache<CachedPage>(CACHE_BYTES, sizeOf)
  readonly #asked = new Doorkeeper(DOORKEEPER_KEYS)

  /** The cached page of `url`; on its first request the result of `render`, which is not cached. */
  async get(url: string, render: () => Promise<Page>): Promise<Page | CachedPage> {
    if (!this.#asked.admit(url)) return render()
    return this.#pages.get(url, async () => ready(await render()), isWhole)
  }

  clear(): void {
    this.#pages.clear()
  }

  /** Number of cached pages. */
  get size(): number {
    return this.#pages.size
  }
}

async function ready({ html, status, redirect, tags }: Page): Promise<CachedPage> {
  const answer = await cachedResponse(html, HTML, status)
  return { ...answer, ...(redirect !== undefined && { redirect }), ...(tags !== undefined && { tags }) }
}

/** Pages with errors are not cached. */
const isWhole = ({ status }: CachedPage): boolean => status < 500
