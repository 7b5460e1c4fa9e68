import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Server } from './server.ts'

type Product = { _id: string; images: { path: string }[] }
type Proof = { ledger: object; anchors: unknown[]; records: unknown[] }
const entities = ['user', 'category', 'product', 'box', 'mail', 'key'] as const

/** Everything that the API returns to a manager: it must survive restarts, restores and upgrades. */
export type Memory = Record<string, unknown>

/** Calls the shop with a token; fails on an error status. */
export function callAs(server: Pick<Server, 'url'>, token: string) {
  return async <T>(method: string, path: string, body?: object): Promise<T> => {
    const isForm = body instanceof FormData
    const answer = await fetch(new URL(path, server.url), {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text)
  }
}

/** Reads everything, with the session of a manager. The node URL in proofs is left out, since it has a port. */
export async function memoryOf(server: Pick<Server, 'url'>, token: string): Promise<Memory> {
  const call = callAs(server, token)
  const read = <T>(path: string): Promise<T> => call<T>('GET', path)
  const products = await read<Product[]>('/api/product')
  const { rows: boxes } = await read<{ rows: { boxID: string }[] }>('/api/manage/box?size=100')
  const each = async <T>(ids: string[], ask: (id: string) => Promise<T>): Promise<Record<string, T>> =>
    Object.fromEntries(await Promise.all(ids.map(async (id) => [id, await ask(id)])))
  const boxIDs = boxes.map(({ boxID }) => boxID)
  return {
    products: await each(
      products.map(({ _id }) => _id),
      (id) => read(`/api/product/${id}/manage`),
    ),
    categories: await read('/api/category'),
    users: await read('/api/user/all'),
    keys: await read('/api/key'),
    wholeBoxes: await each(boxIDs, (id) => read(`/api/box/${id}`)),
    proofs: await each(boxIDs, async (id) => {
      const { ledger, ...proof } = await read<Proof>(`/api/box/${id}/proof`)
      return { ...proof, ledger: { ...ledger, rpc: undefined } }
    }),
    history: await each([...entities], (entity) => read(`/api/history?entity=${entity}`)),
    pictures: await each(
      products.flatMap(({ images }) => images.map(({ path }) => path)),
      (path) => hashOfPicture(server, path),
    ),
  }
}

async function hashOfPicture(server: Pick<Server, 'url'>, path: string): Promise<string> {
  const answer = await fetch(new URL(`/api/file/${path}`, server.url))
  assert.equal(answer.status, 200, path)
  return createHash('sha256')
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest('hex')
}
