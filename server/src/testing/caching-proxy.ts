import { once } from 'node:events'
import { request as ask, createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer, json } from 'node:stream/consumers'

type Copy = { status: number; body: Buffer; tags: readonly string[]; until: number }

/** A caching proxy that keeps what its origin lets it, as CDNs do, and clears copies by tag when it is called with the secret. */
export type CachingProxy = AsyncDisposable & {
  url: string
  purgeUrl: string
  /** Where it fetches from. */
  origin: string
  /** What happens to calls that clear copies. */
  purging: 'works' | 'fails' | 'hangs'
  /** Tags of each call that cleared copies, in order. */
  readonly cleared: string[][]
  /** Asks it for a page. `hit`: it had a copy. */
  get(path: string, headers?: Record<string, string>): Promise<{ hit: boolean; status: number; text: string }>
}

/** @param secret without which it clears nothing */
export async function cachingProxy(secret: string): Promise<CachingProxy> {
  const copies = new Map<string, Copy>()
  const purge = async (request: IncomingMessage): Promise<number> => {
    if (request.headers.authorization !== `Bearer ${secret}`) return 403
    const { tags } = (await json(request)) as { tags: string[] }
    for (const [key, copy] of copies) if (copy.tags.some((tag) => tags.includes(tag))) copies.delete(key)
    proxy.cleared.push(tags)
    return 200
  }
  const fetched = async (path: string, cookie: string | undefined): Promise<Copy> => {
    const headers = { host: 'localhost', ...(cookie !== undefined && { cookie }) }
    const asked = ask(proxy.origin + path, { headers }).end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    const control = answer.headers['cache-control'] ?? ''
    const fresh = /\bpublic\b/.test(control) ? Number(/s-maxage=(\d+)/.exec(control)?.[1] ?? 0) : 0
    const tags = String(answer.headers['surrogate-key'] ?? '').split(' ')
    const body = await buffer(answer)
    return { status: answer.statusCode ?? 0, body, tags, until: Date.now() + fresh * 1_000 }
  }
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      if (proxy.purging === 'hangs') return
      response.writeHead(proxy.purging === 'fails' ? 500 : await purge(request)).end('{}')
      return
    }
    const { cookie } = request.headers
    const key = `${request.url} ${cookie ?? ''}`
    const kept = copies.get(key)
    const isHit = kept !== undefined && kept.until > Date.now()
    const copy = isHit ? kept : await fetched(request.url ?? '/', cookie)
    if (copy.until > Date.now()) copies.set(key, copy)
    response.writeHead(copy.status, { 'x-cache': isHit ? 'hit' : 'miss' }).end(copy.body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const proxy: CachingProxy = {
    ...{ url, purgeUrl: `${url}/purge`, origin: '', purging: 'works', cleared: [] },
    async get(path, headers = {}) {
      const answer = await fetch(url + path, { headers })
      const hit = answer.headers.get('x-cache') === 'hit'
      return { hit, status: answer.status, text: await answer.text() }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
  return proxy
}
