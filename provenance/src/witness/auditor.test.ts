import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { shopAnchors } from '../audit/shop-anchors.ts'
import type { AnchorChanges } from '../bundle-parts.ts'
import { utf8 } from '../digest.ts'
import { verifierKeyText } from '../log/note.ts'
import { readLog } from '../log/read-log.ts'
import { leafHash } from '../log/tree.ts'
import { marketShop } from '../testing/dishonest-server.ts'
import { newSigner, TestLog } from '../testing/log.ts'
import { logOf, newestTime } from '../testing/logged-shop.ts'
import { type ServedShop, serveShop } from '../testing/served-shop.ts'
import type { Shop } from '../testing/shop.ts'
import { AuditStore } from './audit-store.ts'
import { Auditor } from './auditor.ts'
import { LogEdge } from './log-edge.ts'

const folders: string[] = []
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'befaqt-auditor-'))
  folders.push(folder)
  return folder
}

const never = new AbortController().signal
const log = logOf(marketShop()).signer.key
const HOUR = 3_600

/** An auditor of a served shop, whose clock a test sets. */
function auditorOf(served: ServedShop, folder = newFolder(), clock = { s: newestTime(served.shop) + 60 }) {
  const store = AuditStore.open(folder, verifierKeyText(log))
  const told: string[] = []
  const tell = (words: string): void => void told.push(words)
  const auditor = new Auditor({ store, shop: shopAnchors(served.url), nowS: () => clock.s, tell })
  const advance = async (): Promise<void> => {
    const shown = await readLog(log, served.logUrl, never)
    assert.ok(shown)
    await auditor.advance(shown, never)
  }
  return { store, auditor, told, clock, folder, advance }
}

/** What is to be said of the first `size` anchors. */
async function judged({ auditor }: { auditor: Auditor }, shop: Shop, size: number) {
  const own = logOf(shop)
  return auditor.judge({ size, root: await own.root(size) }, await own.note(size))
}

test('an anchor that the shop told wrongly is looked at again after an hour, and what was kept of it stays', async () => {
  const shop = marketShop()
  await using served = await serveShop(shop)
  const audit = auditorOf(served)
  const wrongly = (index: number, told: AnchorChanges): AnchorChanges =>
    index === 3 ? { ...told, leaves: told.leaves.map((leaf) => ({ ...leaf, records: [] })) } : told
  served.otherwise = { changes: wrongly }
  await audit.advance()
  assert.equal(audit.auditor.size, 3)
  assert.match(audit.auditor.failed ?? '', /Box A grew from 2 records to 6/)
  assert.deepEqual(await Promise.all([3, 4, 6].map((size) => judged(audit, shop, size))), [
    'audited',
    'failed',
    'failed',
  ])
  served.otherwise = {}
  const asked = served.asked.length
  await audit.advance()
  assert.equal(served.asked.length, asked, 'not each minute')
  audit.clock.s += HOUR
  await audit.advance()
  assert.deepEqual([audit.auditor.size, audit.auditor.failed], [6, undefined])
  assert.equal(await judged(audit, shop, 6), 'audited')
  assert.deepEqual(
    audit.store.evidence().map(({ at }) => at),
    [3],
  )
  audit.store.close()
})

test('what the shop does not tell of an anchor is on its way for an hour, and refused from then on', async () => {
  const shop = marketShop()
  await using served = await serveShop(shop)
  const audit = auditorOf(served)
  served.otherwise = { changes: (index, told) => (index === 5 ? undefined : told) }
  await assert.rejects(audit.advance(), /does not say yet what changed at anchor 5/)
  assert.equal(await judged(audit, shop, 6), 'not yet')
  audit.clock.s += 2 * HOUR
  await audit.advance()
  assert.equal(await judged(audit, shop, 6), 'failed')
  assert.match(audit.auditor.failed ?? '', /does not say what changed at anchor 5/)
  audit.store.close()
})

test('an entry that is no anchor, one of another number, and times that go back or lie ahead are refused', async () => {
  const entries = async (change: (entry: string) => string, clock = 60) => {
    const shop = marketShop()
    await using served = await serveShop(shop)
    const bundle = await logOf(shop).answer('tile/entries/000.p/6')
    assert.ok(bundle instanceof Uint8Array)
    const texts =
      Buffer.from(bundle)
        .toString()
        .match(/\{[^}]*\}/g) ?? []
    assert.equal(texts.length, 6)
    served.otherwise = {
      log: new TestLog(logOf(shop).signer).append(...texts.with(4, change(texts[4] ?? ''))),
    }
    const audit = auditorOf(served, newFolder(), { s: newestTime(shop) + clock })
    await audit.advance()
    const { size, failed = '' } = audit.auditor
    audit.store.close()
    return `${size} ${failed}`
  }
  assert.equal(await entries((entry) => entry), '6 ')
  for (const odd of [
    () => 'hello',
    (entry: string) => entry.replace('"index":4', '"index":5'),
    (entry: string) => ` ${entry}`,
  ])
    assert.match(await entries(odd), /^4 Entry 4 of the log is no anchor/)
  assert.match(
    await entries((entry) => entry.replace(/T01:04/, 'T01:01')),
    /^4 .*of a time before the one before/,
  )
  assert.match(await entries((entry) => entry, -300 - 60 - 1), /^4 .*ahead of now/)
  assert.match(
    await entries((entry) => entry.replace(/"boxes":\d+/, '"boxes":9')),
    /^4 Anchor 4 names 9 boxes/,
  )
})

test('the map is where it was after a new start, of no other log, and read as far as an anchor needs it', async () => {
  const shop = marketShop()
  await using served = await serveShop(shop)
  const first = auditorOf(served)
  await first.advance()
  first.store.close()
  shop.append('D', 'tracking')
  shop.anchor()
  const again = auditorOf(served, first.folder)
  assert.deepEqual([again.auditor.size, again.store.boxes, again.store.root], [6, 4, shop.anchors[5]?.root])
  assert.deepEqual([...again.store.boxIDs()].sort(), ['A', 'B', 'C', 'D'])
  served.asked.length = 0
  await again.advance()
  assert.deepEqual([again.auditor.size, served.asked], [7, [6]])
  again.store.close()
  const other = verifierKeyText(newSigner('other.example/log').key)
  assert.throws(() => AuditStore.open(first.folder, other), /audit of another log/)
})

test('what is kept of what did not add up has an end, and of an index the first stays', () => {
  const store = AuditStore.open(newFolder(), verifierKeyText(log))
  for (let i = 0; i < 40; i++) store.keepEvidence(i, `finding ${i} ${'x'.repeat(9_000)}`, 'x'.repeat(600_000))
  assert.equal(store.keepEvidence(0, 'another', 'y'), false)
  assert.equal(store.evidence().length, 16)
  assert.equal(store.evidence()[0]?.words.length, 2_000)
  assert.match(store.evidenceAt(0) ?? '', /"cut":true/)
  store.close()
})

test('the edge of a tree has its root at every size', async () => {
  const own = new TestLog()
  let edge = new LogEdge()
  for (let size = 1; size <= 70; size++) {
    own.append(`entry ${size}`)
    edge = LogEdge.of(size, edge.with(leafHash(utf8(`entry ${size}`))).bytes)
    assert.deepEqual([edge.size, edge.root], [size, await own.root()])
  }
})
