import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AnchorFile, anchorFileText, fileLedger, parseAnchorFile } from './file-ledger.ts'
import { Shop } from './testing/shop.ts'
import { verifyBundle } from './verify.ts'

function shop(): Shop {
  const made = new Shop()
  made.append('A', 'registration')
  made.anchor()
  made.append('A', 'catch')
  made.anchor()
  return made
}

/** As it stands on disk. */
const onDisk = (file: AnchorFile) => JSON.parse(anchorFileText(file))

test('a file is read as it was written, and verifies without a network', async () => {
  const file = parseAnchorFile(onDisk(shop().file()))
  assert.deepEqual(file, shop().file())
  assert.equal((await verifyBundle(shop().bundleOf('A'), fileLedger(file))).verdict, 'verified')
})

test('a file that holds only some anchors can not answer for the others', async () => {
  const { anchors, ...file } = shop().file()
  const result = await verifyBundle(shop().bundleOf('A'), fileLedger({ ...file, anchors: anchors.slice(1) }))
  assert.equal(result.verdict, 'unreachable')
  assert.match(result.reasons[0]?.detail ?? '', /does not hold anchor 0/)
})

test('a file of another format, or with anchors out of order, is refused', () => {
  const valid = onDisk(shop().file())
  const [first, second] = valid.anchors
  for (const odd of [
    { format: 'befaqt-anchors/2' },
    { count: 1 },
    { anchors: [second, first] },
    { anchors: [first, first] },
    { anchors: [{ ...first, time: 'noon' }] },
    { anchors: [{ ...first, boxes: 2 ** 32 }] },
    { anchors: [{ ...first, more: 1 }] },
    { contract: '0x' },
  ])
    assert.throws(() => parseAnchorFile({ ...valid, ...odd }), { name: 'FormatError' }, JSON.stringify(odd))
})
