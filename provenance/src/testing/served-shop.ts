import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AnchorChanges } from '../bundle-parts.ts'
import type { TestLog } from './log.ts'
import { logOf } from './logged-shop.ts'
import type { Shop } from './shop.ts'

/** What a test does otherwise than an honest shop. */
interface Otherwise {
  /** The log that is served; by default that of the shop's anchors. */
  log?: TestLog
  /** What is told of an anchor; undefined: nothing. */
  changes?: (index: number, told: AnchorChanges) => AnchorChanges | undefined
  /** Before it is answered; what it answers waits for that. */
  asked?: (index: number) => void | Promise<void>
  /** As soon as it is answered. */
  answered?: (index: number) => void
}

/** A shop's log of anchors, and what changed at each, at an address. */
export interface ServedShop extends AsyncDisposable {
  readonly url: string
  readonly logUrl: string
  /** Which anchors were asked for. */
  readonly asked: number[]
  /** May be changed at any time. */
  shop: Shop
  otherwise: Otherwise
}

export async function serveShop(shop: Shop): Promise<ServedShop> {
  const asked: number[] = []
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://shop')
    const end = (body: string | Uint8Array | undefined): unknown =>
      response.writeHead(body === undefined ? 404 : 200).end(body)
    const [, index] = /^\/api\/anchor\/(\d+)$/.exec(pathname) ?? []
    if (index === undefined) {
      const log = served.otherwise.log ?? logOf(served.shop)
      void log.answer(pathname.slice('/befaqt/log/'.length)).then(end)
      return
    }
    const at = Number(index)
    asked.push(at)
    const { changes = (_, told) => told, asked: before, answered } = served.otherwise
    response.on('finish', () => answered?.(at))
    void Promise.resolve(before?.(at)).then(() => {
      const told = at < served.shop.anchors.length ? changes(at, served.shop.changesAt(at)) : undefined
      end(told && JSON.stringify(told))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const served: ServedShop = {
    url,
    logUrl: `${url}/befaqt/log`,
    asked,
    shop,
    otherwise: {},
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return served
}
