import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { BackupRefused, opened, sealed } from './frames.ts'

async function* chunks(of: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < of.length; at += size) yield of.subarray(at, at + size)
}
const make = (content: Buffer, passphrase?: string): Promise<Buffer> =>
  buffer(sealed(chunks(content, 70_000), passphrase))
const read = (file: Buffer, passphrase?: string): Promise<Buffer> =>
  buffer(opened(chunks(file, 50_001), passphrase))

const WORDS = 'a passphrase of these tests'
const MIB = 1 << 20

test('what was written is read again, whatever its length, encrypted and not', async () => {
  for (const length of [0, 1, MIB - 1, MIB, MIB + 1, 3 * MIB + 5]) {
    const content = randomBytes(length)
    for (const passphrase of [undefined, WORDS]) {
      const file = await make(content, passphrase)
      assert.ok(content.equals(await read(file, passphrase)), `${length} bytes`)
      if (passphrase && length > 16) assert.equal(file.indexOf(content.subarray(0, 16)), -1)
    }
  }
})

const half = { name: 'BackupRefused', message: /^Half a backup: the file ends in the middle/ }
const refused = (error: unknown): boolean => error instanceof BackupRefused

test('a file that was cut off anywhere is refused, also between two frames', async () => {
  const content = randomBytes(2 * MIB + 99)
  for (const passphrase of [undefined, WORDS]) {
    const file = await make(content, passphrase)
    const header = 14 + 4 + file.readUInt32BE(14)
    const second = header + 5 + file.readUInt32BE(header)
    const third = second + 5 + file.readUInt32BE(second)
    for (const length of [14, 18, header - 1, header, header + 4, second, second + 5, third, file.length - 1])
      await assert.rejects(read(file.subarray(0, length), passphrase), half, `${length} bytes`)
    await assert.rejects(read(file.subarray(0, 5), passphrase), /is no backup/)
    await assert.rejects(read(file.subarray(0, 0), passphrase), /is empty/)
  }
})

test('no changed byte is taken for what was written', async () => {
  const file = await make(randomBytes(300))
  for (let at = 0; at < file.length; at++) {
    const changed = Buffer.from(file)
    changed[at] = (changed[at] ?? 0) ^ 1
    await assert.rejects(read(changed), refused, `byte ${at}`)
  }
  const encrypted = await make(randomBytes(300), WORDS)
  const header = 14 + 4 + encrypted.readUInt32BE(14)
  for (const at of [
    0,
    13,
    14,
    17,
    20,
    40,
    header - 4,
    header,
    header + 3,
    header + 4,
    header + 5,
    encrypted.length - 1,
  ]) {
    const changed = Buffer.from(encrypted)
    changed[at] = (changed[at] ?? 0) ^ 1
    await assert.rejects(read(changed, WORDS), refused, `byte ${at}`)
  }
})

test('frames that change places, are left out or come twice are refused, and so is more after the last', async () => {
  for (const passphrase of [undefined, WORDS]) {
    const file = await make(randomBytes(2 * MIB + 99), passphrase)
    const header = 14 + 4 + file.readUInt32BE(14)
    const second = header + 5 + file.readUInt32BE(header)
    const third = second + 5 + file.readUInt32BE(second)
    const [start, one, two, last] = [
      file.subarray(0, header),
      file.subarray(header, second),
      file.subarray(second, third),
      file.subarray(third),
    ]
    for (const parts of [
      [two, one, last],
      [one, last],
      [one, one, two, last],
      [last],
      [one, two, last, last],
    ])
      await assert.rejects(read(Buffer.concat([start, ...parts]), passphrase), /damaged/)
    // A frame in the middle that says it is the last.
    const ended = Buffer.concat([start, one])
    ended.writeUInt8(1, header + 4)
    await assert.rejects(read(ended, passphrase), /damaged/)
  }
})

test('a wrong passphrase, none and a newer layout are told apart', async () => {
  const file = await make(Buffer.from('x'), WORDS)
  await assert.rejects(read(file, 'another'), /The passphrase is wrong/)
  await assert.rejects(read(file), /is encrypted: it needs --passphrase-file/)
  const newer = await make(Buffer.from('x'))
  const at = newer.indexOf('"format":1') + '"format":'.length
  newer.write('2', at)
  await assert.rejects(read(newer), /has layout 2 and this version reads up to 1/)
})
