import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { RpcRequestError } from 'viem'
import type { JsonRpc } from '#server/chain/port.ts'

/** A chain behind HTTP, like a network's node; for tests of connection failures. */
export type ChainOverHttp = AsyncDisposable & {
  url: string
  /** Closes every connection until it is called with false. */
  cut(off: boolean): void
  /** Accepts requests without responding until it is called with false. */
  freeze(on: boolean): void
  /** Names of the called methods, in order. */
  asked: string[]
}

type Call = { id: number; method: string; params: unknown[] }

/** Serves `rpc` on this machine. */
export async function overHttp(rpc: JsonRpc): Promise<ChainOverHttp> {
  let isCut = false
  let thawed = Promise.resolve()
  let thaw = (): void => undefined
  const asked: string[] = []
  const answer = async ({ id, method, params }: Call): Promise<object> => {
    asked.push(method)
    const body = await rpc({ method, params }).then(
      (result) => ({ result }),
      (error: unknown) => ({ error: asJson(error) }),
    )
    return { jsonrpc: '2.0', id, ...body }
  }
  const server = createServer(async (request, response) => {
    if (isCut) return request.socket.destroy()
    const calls: Call | Call[] = JSON.parse(await text(request))
    await thawed
    const answers = Array.isArray(calls) ? await Promise.all(calls.map(answer)) : await answer(calls)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answers))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: (off) => {
      isCut = off
    },
    freeze: (on) => {
      if (!on) return thaw()
      const { promise, resolve } = Promise.withResolvers<void>()
      ;[thawed, thaw] = [promise, resolve]
    },
    asked,
    async [Symbol.asyncDispose]() {
      thaw()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

function asJson(error: unknown): { code: number; message: string; data?: unknown } {
  const cause = error instanceof Error && error.cause instanceof RpcRequestError ? error.cause : error
  if (!(cause instanceof RpcRequestError)) return { code: -32603, message: String(error) }
  return { code: cause.code, message: cause.details, data: cause.data }
}
