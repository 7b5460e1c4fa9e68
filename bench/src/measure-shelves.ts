import { load } from './load.ts'
import { loadRow, loadTableHead, ms, row, tableHead } from './load-table.ts'
import type { Shop } from './shop.ts'

const addresses = ['/api/product/active', '/', '/product', '/product?q=snapper', '/category/fish'] as const

/**
 * Prints the latency of public lists with all those products on sale: cached, and for the first request after a
 * manager's change, when the catalogue is read and the page rendered again.
 */
export async function measureShelves(shop: Shop): Promise<void> {
  loadTableHead('public, asked for before', 'connections')
  for (const address of addresses) {
    const got = await load(shop.url + address, {}, 1)
    await loadRow([address, 1], got, 1)
  }
  tableHead('public, the first answer after a change', 'ms', 'bytes of HTML or JSON')
  for (const address of addresses) {
    await changeOne(shop)
    const began = performance.now()
    const text = await (await fetch(shop.url + address)).text()
    row(address, ms(performance.now() - began), Buffer.byteLength(text))
  }
}

let price = 1

async function changeOne({ url, key }: Shop): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const list = (await (await fetch(`${url}/api/product?status=ACTIVE&size=1`, { headers })).json()) as {
    rows: { _id: string }[]
  }
  const body = JSON.stringify({ price: price++ })
  const changed = await fetch(`${url}/api/product/${list.rows[0]?._id}`, { method: 'PATCH', headers, body })
  if (!changed.ok) throw new Error(`${changed.status}: ${await changed.text()}`)
}
