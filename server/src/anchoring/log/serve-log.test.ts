import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyTypes, parseVerifierKey, verifierKeyText } from '@befaqt/provenance/log/note'
import { findReceipt, receiptLine } from '@befaqt/provenance/log/receipt'
import { openCheckpoint } from '@befaqt/provenance/log/signed-checkpoint'
import { hashesIn, leafHash, parseEntryBundle, readFromTiles, rootOf } from '@befaqt/provenance/log/tree'
import { newSigner } from '@befaqt/provenance/testing/log'
import { anchorLogs } from '#server/db/schema/anchor-log.ts'
import { logSettings, signFirstAnchor } from '#server/testing/anchor-log.ts'
import { addBox, addRecords, anchoringWorld } from '#server/testing/anchoring.ts'
import { testShop } from '#server/testing/shop.ts'
import { appendEntries, entryCount } from './log-rows.ts'
import { brokenLine, newestReceipt, receiptCode } from './receipts.ts'
import { followAnchors } from './sign-log.ts'

test('whoever reads the log finds each anchor in it, under the root that was signed', async () => {
  await using shop = await testShop()
  const { db, chain } = shop.deps
  const get = (path: string, headers = {}) => shop.app.inject({ url: `/befaqt/log/${path}`, headers })
  assert.equal((await get('checkpoint')).statusCode, 404, 'there is no log yet')
  assert.equal((await get('tile/0/000.p/1')).statusCode, 404)

  const world = anchoringWorld(db, chain)
  await addBox(db, 'a')
  for (let i = 0; i < 3; i++) {
    await addRecords(db, 'a', 2)
    await world.pass()
    world.later(60)
  }
  await followAnchors(logSettings())(world.deps)

  const answer = await get('checkpoint', { origin: 'https://elsewhere.example' })
  assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8')
  assert.equal(answer.headers['cache-control'], 'no-cache')
  assert.equal(answer.headers['access-control-allow-origin'], '*')
  assert.equal(answer.headers['access-control-allow-credentials'], undefined)
  const again = await get('checkpoint', { 'if-none-match': answer.headers.etag })
  assert.equal(again.statusCode, 304)
  const [log] = await db.select().from(anchorLogs)
  const { checkpoint } = await openCheckpoint(answer.body, [parseVerifierKey(log?.key ?? '')], [])
  assert.deepEqual([checkpoint.origin, checkpoint.size], ['fish.example/befaqt/log', 3])

  const tile = await get('tile/0/000.p/3', { origin: 'https://elsewhere.example' })
  assert.equal(tile.headers['content-type'], 'application/octet-stream')
  assert.equal(tile.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(tile.headers['access-control-allow-origin'], '*')
  const hashes = hashesIn(new Uint8Array(tile.rawPayload), 3)
  const read = readFromTiles(async (_level, first, count) => hashes.slice(first, first + count))
  assert.deepEqual(await rootOf(3, read), checkpoint.root)
  const entries = parseEntryBundle(new Uint8Array((await get('tile/entries/000.p/3')).rawPayload), 3)
  assert.deepEqual(entries.map(leafHash), hashes)
  assert.deepEqual(
    entries.map((entry) => JSON.parse(Buffer.from(entry).toString())),
    (await world.anchors()).map(({ index, root, boxes, records, blockTime }) => ({
      boxes,
      index,
      records,
      root,
      time: `${new Date((blockTime ?? 0) * 1000).toISOString().slice(0, 19)}Z`,
    })),
  )
  const former = await get('tile/0/000.p/2')
  assert.deepEqual(hashesIn(new Uint8Array(former.rawPayload), 2), hashes.slice(0, 2), 'for a smaller tree')

  await db.transaction(async (tx) => appendEntries(tx, await entryCount(tx), ['not signed yet']))
  for (const path of [
    'tile/0/000.p/4',
    'tile/entries/000.p/4',
    'tile/0/000',
    'tile/0/001.p/1',
    'tile/1/000.p/1',
    'tile/0/000.p/0',
    'tile/0/000.p/03',
    'tile/0/0.p/3',
    'tile/00/000.p/3',
    'tile/64/000.p/3',
    'tile/0/x000/000.p/3',
    'tile/data/000.p/3',
    'tile/',
    'else',
  ])
    assert.equal((await get(path)).statusCode, 404, path)
})

test('the log’s key is named, and its newest state is drawn as a receipt: line and signed note', async () => {
  await using shop = await testShop()
  const get = (path: string) => shop.app.inject({ url: `/befaqt/log/${path}` })
  assert.equal((await get('key')).statusCode, 404)
  const none = await get('receipt.svg')
  assert.deepEqual([none.statusCode, /nothing of it is signed/.test(none.body)], [200, true])
  assert.doesNotMatch(none.body, /befaqt1|<path/)

  assert.deepEqual([(await get('receipt.txt')).statusCode, (await get('receipt.txt')).body], [204, ''])

  await signFirstAnchor(shop.deps)
  const key = parseVerifierKey((await get('key')).body.trim())
  const receipt = await newestReceipt(shop.deps.db)
  assert.ok(receipt)
  const text = await get('receipt.txt')
  assert.equal(text.headers['content-type'], 'text/plain; charset=utf-8')
  assert.equal(text.body.split('\n')[0], receipt.line)
  const { checkpoint, note } = findReceipt(text.body)
  assert.deepEqual([note, receiptLine(checkpoint)], [receipt.note, receipt.line])
  assert.equal((await openCheckpoint(receipt.note, [key], [])).checkpoint.size, 1)
  const { body, headers } = await get('receipt.svg')
  assert.equal(headers['content-type'], 'image/svg+xml; charset=utf-8')
  assert.equal(headers['cache-control'], 'no-cache')
  assert.ok(body.includes(receiptCode(receipt).path))
  const texts = [...body.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text).join('\n')
  assert.equal(receiptLine(findReceipt(texts).checkpoint), receipt.line, 'as it is copied from a paper')
})

test('a line in pieces has all that it had, and no piece is too long', () => {
  const line = `befaqt1 ${'long.'.repeat(30)}example/befaqt/log 123 ${'a'.repeat(43)}=`
  for (const length of [10, 25, 46, 300]) {
    const pieces = brokenLine({ line, note: '' }, length)
    assert.ok(pieces.every((piece) => piece.length <= length))
    assert.equal(pieces.join('').replaceAll(' ', ''), line.replaceAll(' ', ''))
  }
})

test('the shop’s policy says whom it names, of its own log, to any origin; without witnesses there is none', async () => {
  const lines = [
    `witness market ${verifierKeyText(newSigner('market.example/w', keyTypes.ed25519Cosigner).key)} https://market.example`,
    'quorum market',
  ]
  for (const WITNESSES of [undefined, lines.join('\n')]) {
    await using shop = await testShop({ env: WITNESSES === undefined ? {} : { WITNESSES } })
    const get = () =>
      shop.app.inject({ url: '/check-policy.txt', headers: { origin: 'https://elsewhere.example' } })
    assert.equal((await get()).statusCode, 404, 'there is no log yet')
    const { db, chain } = shop.deps
    const world = anchoringWorld(db, chain)
    await addBox(db, 'a')
    await addRecords(db, 'a', 1)
    await world.pass()
    await followAnchors(logSettings())(world.deps)
    const answer = await get()
    assert.equal(answer.headers['access-control-allow-origin'], '*')
    assert.equal(answer.headers['access-control-allow-credentials'], undefined)
    if (WITNESSES === undefined) {
      assert.equal(answer.statusCode, 404)
      continue
    }
    const [log] = await db.select().from(anchorLogs)
    assert.deepEqual([answer.statusCode, answer.body], [200, `log ${log?.key}\n${WITNESSES}\n`])
    assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8')
  }
})
