import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { getAbiItem, type Hex, parseEventLogs, toEventSelector, zeroAddress } from 'viem'
import { ledgerAbi } from '../abi.ts'
import { ledgerOnEdr } from './ledger-on-edr.ts'

const rootOf = (n: number): Hex => `0x${n.toString(16).padStart(64, '0')}`

test('anchors get the indexes 0, 1, 2 and anybody can read them with their block time', async () => {
  const { as, anchorer, stranger, reader } = await ledgerOnEdr()
  for (let i = 0; i < 3; i++) {
    const hash = await as(anchorer).write.anchor([BigInt(i), rootOf(i + 1), 10 + i, 20 + i])
    const { blockNumber } = await reader.getTransactionReceipt({ hash })
    const block = await reader.getBlock({ blockNumber })
    assert.deepEqual(await as(stranger).read.anchorOf([BigInt(i)]), [
      rootOf(i + 1),
      block.timestamp,
      10 + i,
      20 + i,
    ])
  }
  assert.equal(await as(stranger).read.count(), 3n)
  await assert.rejects(as(stranger).read.anchorOf([3n]), /NoSuchAnchor\(uint64 index\)\s+\(3\)/)
})

test('a wrong index, or the same anchor sent twice, reverts with the expected index', async () => {
  const { as, anchorer } = await ledgerOnEdr()
  await assert.rejects(
    as(anchorer).write.anchor([1n, rootOf(1), 1, 1]),
    /WrongIndex\(uint64 expected\)\s+\(0\)/,
  )
  await as(anchorer).write.anchor([0n, rootOf(1), 1, 1])
  await assert.rejects(
    as(anchorer).write.anchor([0n, rootOf(1), 1, 1]),
    /WrongIndex\(uint64 expected\)\s+\(1\)/,
  )
  assert.equal(await as(anchorer).read.count(), 1n)
})

test('an anchor emits Anchored as the protocol specifies', async () => {
  const { as, anchorer, reader, address } = await ledgerOnEdr()
  const hash = await as(anchorer).write.anchor([0n, rootOf(7), 57, 1000])
  const { logs } = await reader.getTransactionReceipt({ hash })
  const [event] = parseEventLogs({ abi: ledgerAbi, logs, eventName: 'Anchored', strict: true })
  assert.deepEqual(event?.args, { index: 0n, root: rootOf(7), boxes: 57, records: 1000 })
  assert.equal(event?.address, address)
  const wanted = toEventSelector('Anchored(uint64,bytes32,uint32,uint32)')
  assert.equal(toEventSelector(getAbiItem({ abi: ledgerAbi, name: 'Anchored' })), wanted)
})

test('the anchorer role changes hands only when the new holder accepts', async () => {
  const { as, admin, anchorer, stranger } = await ledgerOnEdr()
  await as(admin).write.offerAnchorer([stranger])
  await as(anchorer).write.anchor([0n, rootOf(1), 1, 1])
  await as(stranger).write.acceptAnchorer()
  await as(stranger).write.anchor([1n, rootOf(2), 1, 1])
  await assert.rejects(as(anchorer).write.anchor([2n, rootOf(3), 1, 1]), /NotAnchorer/)
  await assert.rejects(as(stranger).write.acceptAnchorer(), /NotOffered/)
})

test('a revoked anchorer cannot write, and its pending transfer is cancelled', async () => {
  const { as, admin, anchorer, stranger } = await ledgerOnEdr()
  await as(admin).write.offerAnchorer([stranger])
  await as(admin).write.revokeAnchorer()
  await assert.rejects(as(anchorer).write.anchor([0n, rootOf(1), 1, 1]), /NotAnchorer/)
  await assert.rejects(as(stranger).write.acceptAnchorer(), /NotOffered/)
  assert.equal(await as(stranger).read.anchorer(), zeroAddress)
  assert.equal(await as(stranger).read.count(), 0n)
})

test('the admin role changes hands in two steps, and neither admin writes anchors', async () => {
  const { as, admin, anchorer, stranger } = await ledgerOnEdr()
  await assert.rejects(as(anchorer).write.offerAdmin([anchorer]), /NotAdmin/)
  await as(admin).write.offerAdmin([stranger])
  await assert.rejects(as(stranger).write.revokeAnchorer(), /NotAdmin/)
  await as(stranger).write.acceptAdmin()
  await assert.rejects(as(admin).write.revokeAnchorer(), /NotAdmin/)
  for (const who of [admin, stranger])
    await assert.rejects(as(who).write.anchor([0n, rootOf(1), 1, 1]), /NotAnchorer/)
})

test('whatever is sent in whatever order, the ledger holds exactly the anchors sent with the expected index', async () => {
  const { as, anchorer } = await ledgerOnEdr()
  const held: { root: Hex; boxes: number; records: number }[] = []
  const attempt = fc.record({
    offset: fc.constantFrom(0, 0, 0, 0, -2, -1, 1, 5),
    root: fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .map((b): Hex => `0x${Buffer.from(b).toString('hex')}`),
    boxes: fc.integer({ min: 0, max: 2 ** 26 - 1 }),
    records: fc.integer({ min: 0, max: 2 ** 27 - 1 }),
  })
  const property = fc.asyncProperty(attempt, async ({ offset, ...content }) => {
    const index = BigInt(Math.max(0, held.length + offset))
    const sent = as(anchorer).write.anchor([index, content.root, content.boxes, content.records])
    if (index !== BigInt(held.length)) return assert.rejects(sent, /WrongIndex/)
    await sent
    held.push(content)
  })
  await fc.assert(property, { numRuns: 150, endOnFailure: true })
  assert.equal(await as(anchorer).read.count(), BigInt(held.length))
  for (const [index, { root, boxes, records }] of held.entries()) {
    const [gotRoot, , gotBoxes, gotRecords] = await as(anchorer).read.anchorOf([BigInt(index)])
    assert.deepEqual([gotRoot, gotBoxes, gotRecords], [root, boxes, records])
  }
})

test('three anchors cost under 60,000 gas each on average, whatever they cover', async (t) => {
  const { as, admin, anchorer, stranger, reader, deployGas } = await ledgerOnEdr()
  const costOf = async (who: Hex, index: number, n: number): Promise<number> => {
    const hash = await as(who).write.anchor([BigInt(index), `0x${'ab'.repeat(32)}`, n, n])
    return Number((await reader.getTransactionReceipt({ hash })).gasUsed)
  }
  const gas: number[] = []
  for (const [i, n] of [1, 1, 1_000, 10_000, 60_000_000, 60_000_000].entries())
    gas.push(await costOf(anchorer, i, n))
  t.diagnostic(`deployment ${deployGas} gas, anchors ${gas.join(', ')} gas`)
  for (const three of [gas.slice(0, 3), gas.slice(3)])
    assert.ok(three.reduce((sum, each) => sum + each, 0) / 3 < 60_000, three.join(' + '))
  assert.ok(Math.max(...gas) < 75_000)

  await as(admin).write.offerAnchorer([stranger])
  await as(stranger).write.acceptAnchorer()
  const later = [
    await costOf(stranger, 6, 1_000),
    await costOf(stranger, 7, 1_000),
    await costOf(stranger, 8, 1_000),
  ]
  t.diagnostic(`once the role has changed hands ${later.join(', ')} gas`)
  assert.ok(Math.max(...later) < 77_500)
})
