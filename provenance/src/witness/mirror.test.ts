import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { hashesAt, parseTilePath, TILE_WIDTH, tilePath } from '../log/tree.ts'
import { empty, entry, logOf, market, never } from '../testing/mirror-market.ts'

test('a copy has every tile and every entry of what the witness signed, and is signed only then', async () => {
  const log = logOf(300)
  const { begin, witnessed, advance, sizeOf, reopen } = await market(log)
  const mirror = await begin()
  assert.equal(await advance(mirror), 'waiting for the witness to sign')
  await witnessed()
  assert.deepEqual([await sizeOf(mirror), mirror.size], [undefined, 0], 'not when the witness signs')
  log.append(entry(300))
  assert.equal(await advance(mirror), 'signed 300 entries', 'what is beyond is not signed by the witness')
  for (let i = 301; i < 66_000; i++) log.append(entry(i))
  await witnessed()
  assert.equal(await advance(mirror), 'signed 66000 entries')
  assert.equal(await sizeOf(mirror), 66_000)
  for (const level of ['entries', 0, 1, 2] as const) {
    const inAll = hashesAt(level === 'entries' ? 0 : level, log.size)
    for (let index = 0; index * TILE_WIDTH < inAll; index += index === 1 ? 250 : 1) {
      const path = tilePath({ level, index, width: Math.min(TILE_WIDTH, inAll - index * TILE_WIDTH) })
      const tile = parseTilePath(path)
      assert.ok(tile)
      assert.deepEqual(
        Buffer.from(mirror.tile(tile) ?? []),
        Buffer.from((await log.answer(path)) ?? ''),
        path,
      )
    }
  }
  assert.equal(mirror.tile({ level: 0, index: 257, width: 209 }), undefined)
  reopen()
  const again = await begin()
  assert.deepEqual([again.size, await sizeOf(again)], [66_000, 66_000])
})

test('a copy never changes its history, whatever its witness is made to sign', async () => {
  const log = logOf(300)
  const more = Array.from({ length: 100 }, (_, i) => entry(300 + i))
  const { begin, witnessed, advance, sizeOf, reopen, memory, file } = await market(log)
  await witnessed()
  await advance(await begin())
  // A witness that was put back, and whose operator said that it was the newest
  const other = log.fork(100).append(...Array.from({ length: 300 }, (_, i) => `other ${i}`))
  for (const size of [200, 300, 400]) {
    reopen()
    const forked = await begin({ newest: await other.note(size), held: undefined })
    assert.equal(await sizeOf(forked), 300)
    await assert.rejects(
      advance(forked, other),
      /entries from 300 on are not copied|the copy has other entries/,
    )
    assert.deepEqual([await sizeOf(forked), forked.size], [300, 300])
  }
  // One whose file is of the other history, and one that has to be filled anew from there
  const [own, forkOf300] = [memory.note, await other.note(300)]
  const [forkOf400, signed400] = [await other.note(400), await log.append(...more).note(400)]
  memory.note = forkOf300
  const swapped = await begin({ newest: signed400, held: undefined })
  await assert.rejects(advance(swapped), /the copy has other entries than the 300 that were signed/)
  assert.equal(await sizeOf(swapped), undefined)
  memory.note = own
  empty(file)
  reopen()
  const emptied = await begin({ newest: forkOf400, held: undefined })
  await assert.rejects(advance(emptied, other), /entries from 0 on are not copied/)
  await assert.rejects(advance(emptied), /entries from 300 on are not copied/)
  assert.deepEqual([await sizeOf(emptied), emptied.size], [undefined, 300])
  const behind = await begin({ newest: await log.note(50), held: undefined })
  assert.equal(await advance(behind), 'keeps 300 entries, of which the witness has signed 50')
  assert.equal(await sizeOf(behind), 300, 'it never goes back')
})

test('what can’t be stored is not signed: no room for entries, none for the checkpoint, a kill before it is signed', async () => {
  const log = logOf(300)
  const { begin, witnessed, advance, sizeOf, memory, file } = await market(log)
  await witnessed()
  const disk = new DatabaseSync(file)
  disk.exec(
    "create trigger full before insert on entries when new.at >= 270 begin select raise(rollback, 'database or disk is full'); end",
  )
  const mirror = await begin()
  await assert.rejects(advance(mirror), /it could not be stored: database or disk is full/)
  assert.deepEqual([mirror.size, await sizeOf(mirror)], [256, undefined])
  assert.match(mirror.fault ?? '', /disk is full/)
  disk.exec('drop trigger full')
  disk.close()
  for (const fails of ['before', 'after'] as const) {
    memory.fails = fails
    await assert.rejects(advance(mirror), /it could not be stored/)
    assert.equal(await sizeOf(mirror), undefined)
  }
  memory.fails = undefined
  assert.equal(await sizeOf(await begin()), 300, 'it was kept, and is signed at the next start')
  assert.equal(await advance(mirror), 'signed 300 entries')
})

test('a copy that lost entries, or a state that was put back, is signed when it is as far as the witness again', async () => {
  const log = logOf(300)
  const { begin, witnessed, advance, sizeOf, memory, file, reopen } = await market(log)
  await witnessed()
  await advance(await begin())
  empty(file)
  reopen()
  const emptied = await begin()
  assert.deepEqual([emptied.size, await sizeOf(emptied)], [0, undefined])
  assert.equal(await advance(emptied), 'signed 300 entries')

  memory.moved = 'newest.json is a copy'
  memory.note = await log.note(200)
  log.append(entry(300))
  await witnessed()
  const moved = await begin()
  assert.equal(await sizeOf(moved), undefined)
  await assert.rejects(
    moved.advance(() => Promise.reject(new Error('no answer')), never),
    /no answer/,
  )
  assert.deepEqual([await sizeOf(moved), moved.fault], [undefined, undefined])
  assert.equal(await advance(moved), 'signed 301 entries')
  assert.equal(memory.note, await log.note(301))
  memory.moved = undefined
  const held = await begin({ newest: undefined, held: 'newest.json is a copy' })
  assert.equal(await sizeOf(held), undefined)
  assert.equal(await advance(held), 'waiting for the witness to sign')
})

test('a copy that was changed on the disk, or is of another log, is not signed', async () => {
  const log = logOf(300)
  const { begin, witnessed, advance, sizeOf, file, reopen } = await market(log)
  await witnessed()
  await advance(await begin())
  const disk = new DatabaseSync(file)
  disk.exec('update hashes set hash = zeroblob(32) where level = 1')
  reopen()
  const damaged = await begin()
  assert.equal(await sizeOf(damaged), undefined)
  await assert.rejects(advance(damaged), /the copy has other entries than the 300 that were signed/)
  disk.exec("update state set log = 'x'")
  disk.close()
  assert.throws(reopen, /is the copy of another log/)
})
