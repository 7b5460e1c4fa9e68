import { type Load, load, loadEach } from './load.ts'
import { loadRow, loadTableHead, ms } from './load-table.ts'
import { boxName, LIVE_BOX } from './seed-boxes.ts'
import type { Shop } from './shop.ts'

/** Concurrent connections. */
const CONNECTIONS = [1, 20]

/** Returns 0, 1, 2 …, so that no box is requested twice. */
function counter(below: number): () => number {
  let next = 0
  return () => next++ % below
}

/** The requested URLs of a box. */
const calls = [
  ['whole Box', (boxID: string) => `/api/box/${boxID}`],
  ['proof', (boxID: string) => `/api/box/${boxID}/proof`],
  ['page', (boxID: string) => `/SFMBox/byId/${boxID}`],
] as const

/** Prints the latency of box histories and lists on a shop with boxes `boxName(0)` and on. */
export async function measureBoxes({ url, pid }: Shop, boxes: number): Promise<void> {
  loadTableHead('what', 'connections', 'CPU ms')
  const print = (what: string, connections: number, got: Load): Promise<void> =>
    loadRow([what, connections, ms(got.cpuMs)], got, connections)
  for (const [what, path] of calls) {
    const next = counter(boxes)
    const again = async (name: string, boxID: string, connections: number) =>
      print(
        `${what}${name}, asked for before`,
        connections,
        await load(url + path(boxID), {}, connections, pid),
      )
    for (const connections of CONNECTIONS) await again('', boxName(0), connections)
    await again(' with 248 anchors', LIVE_BOX, 1)
    for (const connections of CONNECTIONS) {
      const each = await loadEach(url, () => path(boxName(next())), connections, pid)
      await print(`${what}, another box each time`, connections, each)
    }
  }
  for (const query of ['?page=1', `?page=${Math.floor(boxes / 20)}`, '?q=bench-0001', '?q=snap'])
    for (const connections of CONNECTIONS)
      await print(`list ${query}`, connections, await load(`${url}/api/box${query}`, {}, connections, pid))
}
