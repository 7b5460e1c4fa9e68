import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import { rpcLedger } from '@befaqt/provenance/rpc-ledger'
import { verifyBundle } from '@befaqt/provenance/verify'
import { baseline } from './baseline.ts'
import { importBox } from './boxes.ts'
import { type Load, load } from './load.ts'
import { measurePages } from './measure-pages.ts'
import { measureStarts } from './measure-starts.ts'
import { percentile } from './percentile.ts'
import { type Shop, startShop, untilIdle } from './shop.ts'
import { ADMIN, bearer, signIn } from './sign-in.ts'
import { endSmoke } from './sized.ts'
import { scriptBytes } from './sizes.ts'

const row = (...cells: (string | number)[]): void => console.log(`| ${cells.join(' | ')} |`)

async function loadRow(what: string, url: string): Promise<Load> {
  const got = await load(url)
  await using bare = await baseline(got.bytes)
  const best = await load(bare.url)
  const share = `${Math.round((100 * got.perSecond) / best.perSecond)} %`
  row(what, Math.round(got.perSecond), got.p99Ms, share, got.bytes, got.failed)
  return got
}

async function measureLoad(shop: Shop): Promise<void> {
  const products = (await (await fetch(`${shop.url}/api/product/active`)).json()) as { _id: string }[]
  console.log(
    '\n| what | requests/s | p99 ms | of a bare server | bytes | failed |\n|---|---|---|---|---|---|',
  )
  await loadRow(`product list (${products.length} active)`, `${shop.url}/api/product/active`)
  await loadRow('one product', `${shop.url}/api/product/${products[0]?._id}`)
  await loadRow('whole Box of 500 records', `${shop.url}/api/box/BENCH-500`)
  await loadRow('proof of 500 records', `${shop.url}/api/box/BENCH-500/proof`)
}

async function measureVerifying(shop: Shop): Promise<void> {
  const bundle = await (await fetch(`${shop.url}/api/box/BENCH-500/proof`)).json()
  const { contract } = bundle.ledger
  const times: number[] = []
  for (let i = 0; i < 9; i++) {
    const began = performance.now()
    const result = await verifyBundle(bundle, rpcLedger(`${shop.url}/api/chain/rpc`, fetch, { contract }))
    if (result.verdict !== 'verified') throw new Error(`not verified: ${result.words}`)
    times.push(performance.now() - began)
  }
  console.log(
    `\nVerifying 500 records in Node, chain read included: median ${Math.round(percentile(times, 0.5))} ms.`,
  )
}

async function measureScripts(shop: Shop, product: string): Promise<void> {
  console.log('\n| page | script at first load, bytes as sent |\n|---|---|')
  const pages = [
    '/',
    '/category',
    '/category/Fish',
    '/product',
    `/product/${product}`,
    '/cart',
    '/about/tech',
  ]
  for (const path of [...pages, '/SFMBox/byId/0345579444', '/user/signin', '/user/signup'])
    row(path.replace(product, '{id}'), await scriptBytes(shop.url + path))
}

endSmoke()
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
console.log(
  `Measured ${new Date().toISOString().slice(0, 10)} at ${commit}, ${cpus().length} cores (${cpus()[0]?.model}), Node ${process.version}, \`npm run bench\`.`,
)
await measureStarts()
await using shop = await startShop({ ANCHOR_INTERVAL_S: '1', ...ADMIN })
await importBox(shop, 'BENCH-500', 500)
await untilIdle(shop)
await measureLoad(shop)
await measurePages(shop.url, bearer(await signIn(shop)))
await measureVerifying(shop)
const [first] = (await (await fetch(`${shop.url}/api/product/active`)).json()) as {
  _id: string
  shelfPos: string
}[]
await measureScripts(shop, first?._id ?? '')
