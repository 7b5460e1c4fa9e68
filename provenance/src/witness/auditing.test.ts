import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type BoxProof, verifyBox } from '../box-map.ts'
import { utf8 } from '../digest.ts'
import { digest } from '../log/checkpoint.ts'
import { openCheckpoint } from '../log/signed-checkpoint.ts'
import { leafHash, verifyInclusion } from '../log/tree.ts'
import { anchorBox, marketShop, recordsOf, rewrite } from '../testing/dishonest-server.ts'
import { logOf } from '../testing/logged-shop.ts'
import { type ServedShop, serveShop } from '../testing/served-shop.ts'
import { Shop, stateOf } from '../testing/shop.ts'
import { startWitness, type WitnessProcess } from '../testing/witness-process.ts'

/** `KILLS=100 npm test -- provenance/src/witness/auditing` for more. */
const KILLS = Number(process.env.KILLS ?? 6)

const folders: string[] = []
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-auditing-'))
  folders.push(folder)
  return join(folder, 'witness')
}

const logKey = logOf(new Shop()).signer.key
const startAt = (served: ServedShop, folder: string): Promise<WitnessProcess> =>
  startWitness({ folder, log: logKey, logUrl: served.logUrl, shopUrl: served.url })
const sizeOf = async (witness: WitnessProcess): Promise<number> => {
  const note = await witness.monitor()
  if (note === undefined) return 0
  const { checkpoint, cosignatures } = await openCheckpoint(note, [logKey], witness.keys)
  assert.equal(cosignatures.length, 2)
  return checkpoint.size
}

type Evidence = {
  findings: { code: string; box?: string }[]
  checkpoint: string
  entries: { index: number; entry: string; inclusion: string[] }[]
  boxes: { before: BoxProof; after: BoxProof }[]
}
/** What the witness has kept: in short, and of one place. */
const kept = async ({ url }: WitnessProcess): Promise<{ at: number; words: string }[]> =>
  JSON.parse(await (await fetch(`${url}/evidence`)).text())
const evidenceAt = async ({ url }: WitnessProcess, at: number): Promise<Evidence> =>
  JSON.parse(await (await fetch(`${url}/evidence/${at}`)).text())

/** The five rewrites of a box, none of which shows in a root or in the tree of the log. */
const rewrites: readonly [what: string, code: string, lie: (shop: Shop) => void][] = [
  [
    'taken out of one anchor and grown anew in the next',
    'vanished',
    (shop) => {
      shop.anchorWithout('A')
      shop.append('A', 'tracking', { temperature: 1 })
      anchorBox(shop)
    },
  ],
  [
    'taken back to two records and grown anew',
    'count_fell',
    (shop) => {
      anchorBox(shop, recordsOf(shop).slice(0, 2))
      rewrite(shop)
      anchorBox(shop)
    },
  ],
  [
    'rewritten between two anchors',
    'not_following',
    (shop) => {
      rewrite(shop)
      shop.append('A', 'tracking', { temperature: 1 })
      anchorBox(shop)
    },
  ],
  [
    'changed without growth',
    'changed_without_growth',
    (shop) => {
      rewrite(shop)
      anchorBox(shop)
    },
  ],
  [
    'gone for good',
    'vanished',
    (shop) => {
      shop.anchorWithout('A')
      shop.append('B', 'tracking')
      shop.anchorStates([stateOf('B', shop.histories.get('B') ?? [])])
    },
  ],
]

for (const [what, code, lie] of rewrites)
  test(`a box that was ${what}: the witness names it, keeps what proves it, and signs nothing from there on`, async () => {
    const shop = marketShop()
    await using served = await serveShop(shop)
    await using witness = await startAt(served, await newFolder())
    await witness.until(/signed 6 entries/)
    lie(shop)
    await witness.until(/anchor 6 does not add up: .*Box A/)
    for (const size of [7, shop.anchors.length]) {
      const reply = await witness.add(await logOf(shop).request(6, size))
      assert.equal(reply.status, 422, reply.text)
    }
    assert.equal(await sizeOf(witness), 6, 'what was signed stays')
    assert.match(await (await fetch(witness.url)).text(), /^state signing nothing beyond 6: .*Box A/m)

    assert.deepEqual(
      (await kept(witness)).map(({ at }) => at),
      [6],
    )
    const evidence = await evidenceAt(witness, 6)
    assert.ok(evidence.findings.some((found) => found.code === code && found.box === 'A'))
    const { checkpoint } = await openCheckpoint(evidence.checkpoint, [logKey], [])
    const roots = evidence.entries.map(({ index, entry, inclusion }) => {
      const path = inclusion.map((hash) => digest(hash, '$'))
      assert.ok(verifyInclusion(leafHash(utf8(entry)), index, checkpoint.size, path, checkpoint.root))
      return String(JSON.parse(entry).root)
    })
    const [box] = evidence.boxes
    assert.ok(box && roots.length === 2)
    assert.ok(verifyBox('A', box.before, roots[0] ?? ''), 'what it was')
    assert.ok(verifyBox('A', box.after, roots[1] ?? ''), 'what it is')
    assert.equal(box.before.leaf?.count, 7)
  })

test('what is not audited yet is answered 503, and nothing is kept of it', async () => {
  const shop = marketShop()
  await using served = await serveShop(shop)
  const wait = Promise.withResolvers<void>()
  served.otherwise = { asked: (index) => (index === 3 ? wait.promise : undefined) }
  await using witness = await startAt(served, await newFolder())
  const first = await logOf(shop).request(0, 6)
  const reply = await fetch(`${witness.url}/add-checkpoint`, { method: 'POST', body: first })
  assert.equal(reply.status, 503)
  assert.ok(Number(reply.headers.get('retry-after')) > 0)
  assert.deepEqual([await sizeOf(witness), await kept(witness)], [0, []])
  wait.resolve()
  await witness.until(/signed 6 entries/)
  assert.equal((await witness.add(await logOf(shop).request(6))).status, 200)
  assert.match(
    await (await fetch(witness.url)).text(),
    /^An auditing witness(.|\n)*^kind auditing$(.|\n)*^audited 6$/m,
  )
  await using general = await startWitness({ folder: await newFolder(), log: logKey })
  assert.match(await (await fetch(general.url)).text(), /^A general witness(.|\n)*^kind general$/m)
})

test(`${KILLS} kills, when an anchor is asked for and when it is answered: the audit goes on where it was`, async () => {
  const shop = new Shop()
  const boxes = ['A', 'B', 'C', 'D', 'E']
  const size = 2 * KILLS + 3
  for (let i = 0; i < size; i++) {
    for (const box of boxes.slice(i % 3)) shop.append(box, 'tracking', { temperature: i })
    shop.anchor()
  }
  await using served = await serveShop(shop)
  const folder = await newFolder()
  for (let round = 0; round < KILLS; round++) {
    const starting = Promise.withResolvers<WitnessProcess>()
    const killed = Promise.withResolvers<void>()
    let count = 0
    const killSecond = async (): Promise<void> => {
      count += 1
      if (count !== 2) return
      await (await starting.promise).kill()
      killed.resolve()
    }
    served.otherwise = round % 2 === 0 ? { asked: killSecond } : { answered: () => void killSecond() }
    starting.resolve(await startAt(served, folder))
    await killed.promise
  }
  served.otherwise = {}
  await using witness = await startAt(served, folder)
  await witness.until(new RegExp(`signed ${size} entries`))
  assert.equal(await sizeOf(witness), size)
  for (const [i, index] of served.asked.entries()) {
    const before = served.asked[i - 1] ?? 0
    assert.ok(index === before || index === before + 1, `asked ${served.asked.join(' ')}`)
  }
})

test('a log that was put back and went on otherwise is refused, whatever size it shows', async () => {
  const before = marketShop()
  await using served = await serveShop(before)
  await using witness = await startAt(served, await newFolder())
  await witness.until(/signed 6 entries/)
  const other = marketShop()
  other.anchors.splice(4)
  served.shop = other
  await witness.until(/shows 4 entries, and it had 6/)
  for (const box of ['D', 'D', 'D']) {
    other.append(box, 'tracking', { temperature: 9 })
    other.anchorStates([stateOf(box, other.histories.get(box) ?? [])])
    const status = (await witness.add(await logOf(other).request(Math.min(6, other.anchors.length)))).status
    assert.equal(status, other.anchors.length < 6 ? 409 : 422)
    if (other.anchors.length === 6) await witness.until(/signed another tree of 6 entries/)
  }
  await witness.until(/could not be followed: its entries up to 7 are not those that it signed, or go not on/)
  assert.deepEqual(
    (await kept(witness)).map(({ at }) => at),
    [-6],
  )
  served.shop = before
  before.append('B', 'tracking')
  before.anchor()
  await witness.until(/signed 7 entries/)
})
