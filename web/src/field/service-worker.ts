/*
 * Keeps the phone pages' own files, so that they open without coverage. No answer of the API is ever kept: what is
 * private is in IndexedDB, under the account it belongs to. A page is fetched first and kept second, so that nobody is
 * stuck on an old version; scripts have their hash in their name.
 */

/** How long to wait for a page before the cached one is shown: coverage at sea is rarely just on or off. */
const PAGE_TIMEOUT_MS = 3_000
const PAGE = '/field'
/** Builds before this one whose files stay, in the order they came: tabs that are open still want theirs. */
const KEPT = 1

type Lifetime = Event & { waitUntil(work: Promise<unknown>): void }
type Fetching = Event & { readonly request: Request; respondWith(answer: Promise<Response>): void }

declare const fieldBuild: { version: string; files: string[] }
declare function skipWaiting(): Promise<void>
declare const clients: { claim(): Promise<void> }

const { version, files } = fieldBuild
const CACHE = `field-${version}`

const isLifetime = (event: Event): event is Lifetime => 'waitUntil' in event
const isFetching = (event: Event): event is Fetching => 'respondWith' in event

async function install(): Promise<void> {
  const cache = await caches.open(CACHE)
  await cache.addAll(files.map((url) => new Request(url, { cache: 'reload' })))
  await skipWaiting()
}

async function activate(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith('field-') && name !== CACHE)
  await Promise.all(old.slice(0, -KEPT).map((name) => caches.delete(name)))
  await clients.claim()
}

async function page(request: Request): Promise<Response> {
  const signal = AbortSignal.timeout(PAGE_TIMEOUT_MS)
  const fresh = await fetch(request, { signal }).catch(() => undefined)
  if (fresh !== undefined && fresh.status < 500) return fresh
  return (await caches.match(PAGE)) ?? fresh ?? Response.error()
}

const file = async (request: Request): Promise<Response> => (await caches.match(request)) ?? fetch(request)

self.addEventListener('install', (event) => isLifetime(event) && event.waitUntil(install()))
self.addEventListener('activate', (event) => isLifetime(event) && event.waitUntil(activate()))
self.addEventListener('fetch', (event) => {
  if (!isFetching(event) || event.request.method !== 'GET') return
  const { pathname, origin } = new URL(event.request.url)
  if (origin !== location.origin) return
  if (event.request.mode === 'navigate' && (pathname === PAGE || pathname.startsWith(`${PAGE}/`)))
    event.respondWith(page(event.request))
  else if (pathname.startsWith('/assets/')) event.respondWith(file(event.request))
})
