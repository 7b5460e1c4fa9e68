import { randomUUID } from 'node:crypto'
import { load, loadPosts } from '../load.ts'
import { percentile } from '../percentile.ts'
import { bearer } from '../sign-in.ts'
import type { World } from './world.ts'

/** Goal: of the requests a second without the pooler. */
export const LEAST_PERCENT = 90
const ROUNDS = 3
/** Connections to each of the two web processes. */
const CONNECTIONS = 10

/** Requests a second of both web processes together. */
type Measure = (urls: readonly string[]) => Promise<number>

/**
 * Two web processes and a worker through a pool of 20 connections, against the same without it, in turn: what stands
 * between them and the primary otherwise is left out. @returns lines of a table, and whether the goal is met
 */
export async function comparePooled(world: World): Promise<{ lines: string[]; isMet: boolean }> {
  const ways = await world.ways()
  const kinds = Object.entries(measures(world))
  const found = kinds.map(([name]) => ({ name, direct: [] as number[], pooled: [] as number[] }))
  for (let round = 0; round < ROUNDS; round++)
    for (const way of round % 2 === 0 ? (['direct', 'pooled'] as const) : (['pooled', 'direct'] as const)) {
      await Promise.all(
        [...world.webs, world.worker].map(async (one) => {
          await one.stop()
          await world.renew(one, world.built, ways[way]).start()
        }),
      )
      const urls = world.webs.map(({ url }) => url)
      for (const [i, [, measure]] of kinds.entries()) found[i]?.[way].push(await measure(urls))
    }
  const rows = found.map(({ name, direct, pooled }) => {
    const [without, through] = [percentile(direct, 0.5), percentile(pooled, 0.5)]
    return { name, without, through, percent: (100 * through) / without }
  })
  const isMet = rows.every(({ percent }) => percent >= LEAST_PERCENT)
  const lines = rows.map(
    ({ name, without, through, percent }) =>
      `| ${name} | ${Math.round(without)} | ${Math.round(through)} | ${percent.toFixed(0)} % | ≥ ${LEAST_PERCENT} % | ` +
      `${percent >= LEAST_PERCENT ? 'met' : '**missed**'} |`,
  )
  const head = [
    '| requests/s | direct | pool of 20 | share | goal | |',
    '| --- | --- | --- | --- | --- | --- |',
  ]
  return { lines: [...head, ...lines], isMet }
}

/** What asks the database most: orders of guests, a manager's list, the Box with all of its records. */
function measures({ key, boxes, product, slot }: World): Record<string, Measure> {
  const both = async (
    of: (url: string) => ReturnType<typeof load>,
    urls: readonly string[],
  ): Promise<number> => {
    const all = await Promise.all(urls.map(of))
    const failed = all.reduce((sum, one) => sum + one.failed, 0)
    if (failed > 0) throw new Error(`${failed} requests failed`)
    return all.reduce((sum, one) => sum + one.perSecond, 0)
  }
  const gets = (path: string) => (urls: readonly string[]) =>
    both((url) => load(url + path, bearer(key), CONNECTIONS), urls)
  let guest = 0
  const order = () => {
    const i = ++guest
    return {
      headers: {
        'idempotency-key': randomUUID(),
        'x-forwarded-for': `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`,
      },
      body: {
        lines: [{ product_id: product, quantity: 1 }],
        contact: { fname: 'Ann', lname: 'Lee', email: `guest${i}@example.org`, phone: '0400 000 000' },
        fulfilment: { kind: 'pickup', slot },
      },
    }
  }
  return {
    orders: (urls) => both((url) => loadPosts(`${url}/api/order`, order, CONNECTIONS), urls),
    'orders of the desk': gets('/api/order/all?page=1&size=20'),
    'one Box': gets(`/api/box/${boxes[0]}`),
  }
}
