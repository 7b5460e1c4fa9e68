import { toHex } from '../digest.ts'
import { parseCheckpoint } from '../log/checkpoint.ts'
import { parseNote, toBase64 } from '../log/note.ts'
import { cosign, type Signer } from '../log/signed-checkpoint.ts'
import { genesisHead, headAfter, recordHash } from '../record.ts'
import type { Summary } from '../summary.ts'
import { blockTimeText } from '../validate.ts'
import { logOf, newestTime, witnesses } from './logged-shop.ts'
import { Shop } from './shop.ts'

/** Box A was measured twice, then weighed and put on sale, each at an anchor of its own; B is beside it. */
export function measuredShop(following = 2): Shop {
  const shop = new Shop()
  shop.append('A', 'registration', { traderName: 'sample' })
  shop.append('B', 'freshness', { freshnessIndex: 0.9 })
  shop.anchor()
  measure(shop, 'A', 0.1)
  shop.append('B', 'tracking', { temperature: 1 })
  shop.anchor()
  measure(shop, 'A', 0.25)
  shop.anchor()
  for (let i = 0; i < following; i++) shop.append('A', 'offer', { product: `fish ${i}`, linked: true })
  shop.append('B', 'tracking', { temperature: 2 })
  shop.anchor()
  return shop
}

/** A reading, and how fresh it leaves the box. */
export function measure(shop: Shop, box: string, freshnessIndex: number): void {
  shop.append(box, 'tracking', { temperature: 2 })
  shop.append(box, 'freshness', { freshnessIndex, conf_iot: 1 })
}

interface Terms {
  /** Anchors that the checkpoint covers. */
  readonly size?: number
  readonly signers?: readonly Signer[]
  readonly timeS?: number
  /** Place of the record that it begins with; by default the newest freshness of that state. */
  readonly from?: number
}

/** The summary that an honest shop gives of a box; two of three witnesses have signed. */
export async function summaryOf(
  shop: Shop,
  box: string,
  { size = shop.anchors.length, signers = witnesses.slice(0, 2), timeS = newestTime(shop), from }: Terms = {},
): Promise<Summary> {
  const { leaf, path, root } = shop.proofOf(size - 1, box)
  if (leaf === null) throw new RangeError(`anchor ${size - 1} does not hold ${box}`)
  const history = (shop.histories.get(box) ?? []).slice(0, leaf.count)
  const first = from ?? history.findLast(({ kind }) => kind === 'freshness')?.seq ?? 1
  const headBefore = history
    .slice(0, first - 1)
    .reduce((head, record) => headAfter(head, recordHash(record)), genesisHead(box))
  const { blockTime, boxes, records } = shop.file().anchors[size - 1] ?? {
    blockTime: 0,
    boxes: 0,
    records: 0,
  }
  const log = logOf(shop)
  const note = await log.note(size)
  const opened = parseCheckpoint(parseNote(note).text)
  return {
    v: 2,
    box,
    leaf,
    path,
    headBefore: toHex(headBefore),
    records: history.slice(first - 1),
    log: {
      checkpoint: note + signers.map((signer) => cosign(opened, signer, timeS)).join(''),
      root,
      time: blockTimeText(blockTime),
      boxes,
      records,
      inclusion: (await log.inclusion(size - 1, size)).map(toBase64),
    },
  }
}
