/**
 * What goes over the wire to the open page of a box when one reading comes: `node bench/src/live-box.ts [readings]
 * [anchors]`. Bytes of bodies as sent, brotli; of the ledger's node those of questions and answers, as they are.
 */
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProofBundle } from '@befaqt/provenance/bundle'
import { positionOf, withNews } from '@befaqt/provenance/bundle'
import type { Fetch } from '@befaqt/provenance/json-rpc'
import { LedgerMemory, rpcLedger } from '@befaqt/provenance/rpc-ledger'
import { verifyBundle } from '@befaqt/provenance/verify'
import { newBox, readingsOf, sendBatch } from './field.ts'
import { row, tableHead } from './load-table.ts'
import { startShop } from './shop.ts'
import { sized } from './sized.ts'

const readings = Number(process.argv[2] ?? sized(10_000, 20))
const anchors = Number(process.argv[3] ?? sized(50, 2))

await using shop = await startShop({ SAMPLE_DATA: 'off', ANCHOR_INTERVAL_S: '1' })
const box = await newBox(shop)
const proofPath = `/api/box/${box}/proof`

const json = async (path: string) => (await fetch(shop.url + path)).json()

/** Bytes of a body as it is sent to a browser. */
const sent = (path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(shop.url + path, { headers: { 'accept-encoding': 'br' } }, (response) => {
      let bytes = 0
      response.on('data', (part: Buffer) => {
        bytes += part.length
      })
      response.on('end', () => resolve(bytes))
    }).on('error', reject)
  })

/** Sends readings, and waits until all are anchored. */
async function grow(from: number, n: number): Promise<ProofBundle> {
  await sendBatch(shop, readingsOf(box, from, n))
  for (;;) {
    const bundle: ProofBundle = await json(proofPath)
    if (bundle.anchors.at(-1)?.leaf.count === bundle.records.length) return bundle
    await sleep(200)
  }
}

/** Checks a bundle as a browser does. Returns the bytes from and to the ledger's node. */
async function ledgerBytes(bundle: ProofBundle, memory?: LedgerMemory): Promise<number> {
  let bytes = 0
  const counting: Fetch = async (url, init) => {
    const answer = await fetch(url, init)
    const body = await answer.arrayBuffer()
    bytes += init.body.length + body.byteLength
    return new Response(body, { status: answer.status })
  }
  const { contract, rpc } = bundle.ledger
  const reader = rpcLedger(rpc, counting, memory ? { contract, memory } : { contract })
  const { verdict } = await verifyBundle(bundle, reader)
  if (verdict !== 'verified') throw new Error(verdict)
  return bytes
}

const each = Math.floor(readings / anchors)
for (let i = 0; i < anchors - 1; i++) await grow(i * each, each)
const former = await grow((anchors - 1) * each, readings - (anchors - 1) * each)
const memory = new LedgerMemory()
await ledgerBytes(former, memory)
const now = await grow(readings, 1)

const after = `news?after=${positionOf(former)}`
const joined = withNews(former, await json(`${proofPath}/${after}`)) as ProofBundle
const page = `/api/box/${box}/page`
tableHead('readings', 'anchors', 'of one more reading', 'whole: bytes', 'news: bytes')
const print = (what: string, whole: number, news: number) => row(readings, anchors, what, whole, news)
print('the page’s data', await sent(page), await sent(`${page}/${after}`))
print('the proof', await sent(proofPath), await sent(`${proofPath}/${after}`))
print('the ledger’s node', await ledgerBytes(now), await ledgerBytes(joined, memory))
