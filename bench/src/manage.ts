/** The lists of managers with 10,000 products. `node bench/src/manage.ts`, after `npm run build`. */
import { readFile } from 'node:fs/promises'
import { load } from './load.ts'
import { type Shop, startShop } from './shop.ts'

const PRODUCTS = 10_000

/** A category to put products into, with a picture of the sample shop. */
async function addCategory({ url, key }: Shop): Promise<void> {
  const form = new FormData()
  form.append('title', 'Fish')
  form.append('shelfPos', '1')
  const picture = await readFile(new URL('../../server/sample/images/category/fish.webp', import.meta.url))
  form.append('catImage', new Blob([picture]), 'fish.webp')
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${url}/api/category`, { method: 'POST', headers, body: form })
  if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`)
}

/** Brings invented products in, in one file. Answers how long that took. */
async function fill({ url, key }: Shop): Promise<number> {
  const headers = { authorization: `Bearer ${key}` }
  const words = 'Caught for measuring. '.repeat(8)
  const lines = Array.from(
    { length: PRODUCTS },
    (_, i) => `Fish ${(i * 7_919) % PRODUCTS},Fish,${i % 90},${i % 200},${words}`,
  )
  const body = `title,category,price,stock,description\n${lines.join('\n')}\n`
  const began = performance.now()
  const response = await fetch(`${url}/api/product/import`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'text/csv' },
    body,
  })
  if (!response.ok) throw new Error(`${response.status}: ${(await response.text()).slice(0, 300)}`)
  return performance.now() - began
}

await using shop = await startShop({ SAMPLE_DATA: 'off' })
await addCategory(shop)
console.log(`${PRODUCTS} products from one CSV file: ${Math.round(await fill(shop))} ms.`)
const headers = { authorization: `Bearer ${shop.key}` }
console.log('\n| list of managers, 20 connections | requests/s | p99 ms | failed |\n|---|---|---|---|')
for (const query of [
  'page=1&size=50',
  'page=150&size=50&sort=price&dir=desc',
  'page=1&size=50&q=fish%20123',
  'page=1&size=50&status=INACTIVE',
]) {
  const { perSecond, p99Ms, failed } = await load(`${shop.url}/api/product?${query}`, headers)
  console.log(`| ${query} | ${Math.round(perSecond)} | ${p99Ms} | ${failed} |`)
}
