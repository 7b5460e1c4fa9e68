import { type CachedResponse, cachedResponse, sizeOf } from '#server/http/caching/cached-response.ts'
import { Doorkeeper } from '#server/http/caching/doorkeeper.ts'
import { InvalidatingCache } from '#server/http/caching/invalidating-cache.ts'

/** A page as it was rendered, or where its loader sends the visitor instead. */
export type Page = { status: number; html: string; redirect?: string }
/** A page that is kept. */
export type CachedPage = CachedResponse & { redirect?: string }

export const HTML = 'text/html; charset=utf-8'
/** Bytes of all pages together, each as it is, as brotli and as gzip: some 150 home pages, or 750 smaller ones. */
const CACHE_BYTES = 32 * 1024 * 1024
/** Addresses that are remembered for having been asked for. */
const DOORKEEPER_KEYS = 4_000

/**
 * Public pages, cached until the catalogue changes. A page is cached from its second request on: there is no end of
 * URLs (`?utm_source=…`, other spellings), and most are requested once.
 */
export class PageCache {
  readonly #pages = new InvalidatingCache<CachedPage>(CACHE_BYTES, sizeOf)
  readonly #asked = new Doorkeeper(DOORKEEPER_KEYS)

  /** The kept page of `url`, or, when nobody asked for it before, just what `render` answers. */
  async get(url: string, render: () => Promise<Page>): Promise<Page | CachedPage> {
    if (!this.#asked.admit(url)) return render()
    return this.#pages.get(url, async () => ready(await render()), isWhole)
  }

  clear(): void {
    this.#pages.clear()
  }

  /** How many pages are kept. */
  get size(): number {
    return this.#pages.size
  }
}

async function ready({ html, status, redirect }: Page): Promise<CachedPage> {
  const answer = await cachedResponse(html, HTML, status)
  return redirect === undefined ? answer : { ...answer, redirect }
}

/** A page that failed, or a part of it, is asked for again by the next visitor. */
const isWhole = ({ status }: CachedPage): boolean => status < 500
