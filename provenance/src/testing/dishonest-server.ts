import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as forge from '../attack/forge.ts'
import { type AbsenceBundle, type BundleAnchor, bundleText, type ProofBundle } from '../bundle.ts'
import { parseJsonText } from '../canonical.ts'
import type { BoxRecord } from '../index.ts'
import { rpcLedger } from '../rpc-ledger.ts'
import type { BoxResult } from '../verdict.ts'
import { verifyAbsence, verifyBundle } from '../verify.ts'
import { honestAnswers, rpcNode } from './rpc-node.ts'
import { contract, Shop, stateOf } from './shop.ts'

/** Box A in anchors 1, 3 and 4: seven records, the last corrects the fourth. B grows in anchor 2, C in anchor 5. */
export function marketShop(): Shop {
  const shop = new Shop()
  for (const box of ['B', 'C', 'D']) shop.append(box, 'registration')
  shop.anchor()
  shop.append('A', 'registration', { fisher: 'F. Sample' })
  shop.append('A', 'catch', { species: 'Snapper' })
  shop.anchor()
  shop.append('B', 'tracking', { temperature: 3 })
  shop.anchor()
  shop.append('A', 'tracking', { temperature: 2 })
  shop.append('A', 'tracking', { temperature: 9.5 })
  shop.append('A', 'enose-result', { score: 0.4 })
  shop.append('A', 'freshness', { freshnessIndex: 0.4, daysLeft: 3 })
  shop.anchor()
  shop.append('A', 'correction', { corrects: 4, temperature: 4.5 })
  shop.anchor()
  shop.append('C', 'tracking', { temperature: 3 })
  shop.anchor()
  return shop
}

/** What a visitor finds who gets this proof over HTTP, and asks an honest node about the contract that he trusts. */
export async function checkedByVisitor(shop: Shop, proof: ProofBundle | AbsenceBundle): Promise<BoxResult> {
  await using chain = await rpcNode(honestAnswers(shop))
  const server = createServer((_request, response) => response.end(bundleText(proof)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    const answered = parseJsonText(await (await fetch(`http://127.0.0.1:${port}`)).text())
    const verify = 'records' in proof ? verifyBundle : verifyAbsence
    return await verify(answered, rpcLedger(chain.url, fetch, { contract }))
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

export const recordsOf = (shop: Shop): readonly BoxRecord[] => shop.histories.get('A') ?? []
/** Shows other records beside the true anchors. */
export const showing =
  (change: (records: readonly BoxRecord[]) => readonly BoxRecord[]) =>
  (shop: Shop): ProofBundle =>
    forge.withRecords(shop.bundleOf('A'), () => change(recordsOf(shop)))

/** Shows one record, by its number, otherwise. */
export const withRecord =
  (seq: number, change: Partial<BoxRecord>) =>
  (shop: Shop): ProofBundle =>
    forge.withRecord(shop.bundleOf('A'), seq, change)

/** Shows one anchor, by its place in the bundle, otherwise. */
export const withAnchor =
  (place: number, change: (shop: Shop, one: BundleAnchor) => Partial<BundleAnchor>) =>
  (shop: Shop): ProofBundle =>
    forge.withAnchor(shop.bundleOf('A'), place, (one) => change(shop, one))

/** Rewrites record 4 in the shop's own tables. */
export function rewrite(shop: Shop): void {
  const forged = recordsOf(shop).map((one) => (one.seq === 4 ? { ...one, data: { temperature: 0.1 } } : one))
  shop.histories.set('A', forged)
}

/** Anchors the state that these records have, by default what the shop's tables say. */
export const anchorBox = (shop: Shop, records = recordsOf(shop)): void =>
  shop.anchorStates([stateOf('A', records)])

/** Shows only the newest anchor, as if the box were new there, with the true state before. */
export function withNewestOnly(shop: Shop): ProofBundle {
  const bundle = shop.bundleOf('A')
  const newest = bundle.anchors.at(-1)
  assert.ok(newest)
  return { ...bundle, anchors: [{ ...newest, before: shop.proofOf(newest.index - 1, 'A') }] }
}
