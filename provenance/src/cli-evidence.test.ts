import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hashOf, utf8 } from './digest.ts'
import { stampRequest, tokenIn } from './evidence/ask-stamp.ts'
import { attestationsIn, otsFile, together, upgraded } from './evidence/ots.ts'
import { verifierKeyText } from './log/note.ts'
import { Authority, withOpenssl } from './testing/authority.ts'
import { Calendar } from './testing/calendar.ts'
import { put, run } from './testing/commands.ts'
import { newSigner, ORIGIN, TestLog } from './testing/log.ts'

const log = new TestLog().append('one', 'two', 'three')
const NONCE = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)
let note = ''

/** Writes the checkpoint that is stamped, and another one. */
async function putNotes(): Promise<void> {
  note = await log.note()
  await put('note.txt', note)
  await put('other.txt', await log.note(2))
}

const check = (...args: readonly string[]) => run('cli-evidence', ...args)

test('a time stamp: who vouches for it, what it is of, and what nobody looked at', withOpenssl, async () => {
  await putNotes()
  await using authority = await Authority.make()
  await using stranger = await Authority.make()
  const answer = await authority.answer(stampRequest(utf8(note), NONCE))
  await put('note.tsr', answer)
  await put('token.der', tokenIn(answer))
  await put('ca.pem', await authority.read('root.pem'))
  await put('strangers.pem', await stranger.read('root.pem'))
  const key = verifierKeyText(log.signer.key)
  for (const file of ['note.tsr', 'token.der']) {
    const { out, err, status } = await check('note.txt', '--tsr', file, '--ca', 'ca.pem', '--key', key)
    assert.deepEqual([status, err], [0, ''], out)
    assert.match(
      out,
      /^Checkpoint: fish\.example\/befaqt\/log with 3 entries, root .*\n {2}Signed by the key/,
    )
    assert.match(out, /Time stamp: by Sample rsa at 20\d\d-.*Z, give or take 1\.5 s, number 02\.\n/)
    assert.match(out, /Vouched for by Sample root, which you named/)
  }
  await put('policy.txt', `log ${key}\nquorum none\n`)
  const byPolicy = await check(
    'note.txt',
    '--tsr',
    'note.tsr',
    '--ca',
    'ca.pem',
    '--policy',
    'policy.txt',
    '--json',
  )
  assert.equal(byPolicy.status, 0, byPolicy.err)
  assert.deepEqual(
    JSON.parse(byPolicy.out).map(({ state }: { state: string }) => state),
    ['holds', 'holds'],
  )
  const flipped = Uint8Array.from(answer)
  flipped[answer.length - 20] = (flipped[answer.length - 20] ?? 0) ^ 1
  await put('flipped.tsr', flipped)
  const others = verifierKeyText(newSigner(ORIGIN).key)
  for (const [args, status, words] of [
    [
      ['note.txt', '--tsr', 'note.tsr'],
      3,
      /signature was not checked[\s\S]*nobody vouches for: name authorities/,
    ],
    [
      ['other.txt', '--tsr', 'note.tsr', '--ca', 'ca.pem'],
      1,
      /Time stamp: does not hold\. It is of other bytes/,
    ],
    [['note.txt', '--tsr', 'note.tsr', '--ca', 'strangers.pem'], 1, /by none of the authorities/],
    [['note.txt', '--tsr', 'flipped.tsr', '--ca', 'ca.pem'], 1, /signature is not by the certificate/],
    [
      ['note.txt', '--tsr', 'note.tsr', '--ca', 'ca.pem', '--key', others],
      1,
      /Checkpoint: does not hold\. It is not signed/,
    ],
    [['note.txt', '--tsr', 'ca.pem'], 2, /ca\.pem could not be read: /],
    [['note.txt', '--tsr', 'note.tsr', '--ca', 'note.txt'], 2, /must hold a certificate in PEM/],
    [['note.tsr', '--tsr', 'note.tsr'], 2, /no signed checkpoint/],
    [['note.txt', '--tsr', 'nowhere'], 2, /There is no file nowhere[\s\S]*Usage/],
    [['note.txt'], 2, /Name --tsr, --ots or both/],
    [['note.txt', '--ots', 'x', '--ca', 'ca.pem'], 2, /--ca is about a --tsr/],
    [['note.txt', '--tsr', 'note.tsr', '--node', 'http://x'], 2, /about an --ots/],
  ] as const) {
    const { out, err, status: ended } = await check(...args)
    assert.equal(ended, status, `${args} ${out}${err}`)
    assert.match(out + err, words)
  }
})

const calendar = new Calendar()
let serving: AsyncDisposable
before(async () => {
  serving = await calendar.serve()
})
after(() => serving[Symbol.asyncDispose]())

test('a proof of OpenTimestamps: pending, in a block nobody looked at, in one that is named, in another', async () => {
  await putNotes()
  const pending = together(calendar.promise(hashOf(utf8(note))))
  await put('pending.ots', otsFile(pending))
  calendar.mine(358_391)
  const [at] = attestationsIn(pending)
  assert.ok(at)
  const complete = upgraded(pending, calendar.url, calendar.done(at.message))
  await put('complete.ots', otsFile(complete))
  await put('later.ots', otsFile(upgraded(pending, calendar.url, raised(calendar, at.message))))
  const header = calendar.blocks.get(358_391) ?? ''
  await put('blocks.txt', `358391 ${header}\n`)
  await put('others.txt', `358391 ${header.replace(/^(.{80})../, '$1ff')}\n`)
  await put('elsewhere.txt', `358392 ${header}\n`)
  const ots = (file: string, ...more: readonly string[]) => ['note.txt', '--ots', file, ...more]
  for (const [args, status, words] of [
    [ots('pending.ots'), 3, /OpenTimestamps: pending at http:\/\/127\.0\.0\.1[\s\S]*proves nothing yet/],
    [
      ots('complete.ots'),
      3,
      /attested by Bitcoin block 358391, which was not looked at[\s\S]*Merkle root of that block is [0-9a-f]{64}/,
    ],
    [
      ots('complete.ots', '--block', 'blocks.txt'),
      0,
      /attested by Bitcoin block 358391 of 2026-11-28T\S+Z \([0-9a-f]{64}\)/,
    ],
    [ots('complete.ots', '--node', calendar.url), 0, /attested by Bitcoin block 358391 of 2026/],
    [
      ots('complete.ots', '--block', 'others.txt'),
      1,
      /does not hold\. Bitcoin block 358391 .* has another Merkle root/,
    ],
    [ots('complete.ots', '--block', 'elsewhere.txt'), 3, /358391, which was not looked at/],
    [ots('later.ots', '--node', calendar.url), 2, /shows no Bitcoin block 358393/],
    [ots('complete.ots', '--node', 'http://127.0.0.1:1'), 2, /could not be asked/],
    [['other.txt', '--ots', 'complete.ots'], 1, /OpenTimestamps: does not hold\. It is of other bytes/],
    [ots('note.txt'), 2, /note\.txt could not be read: .*is no OpenTimestamps proof/],
    [ots('complete.ots', '--block', 'note.txt'), 2, /must be a height and a header/],
    [ots('complete.ots', '--block', 'blocks.txt', '--node', 'http://x'), 2, /not both/],
  ] as const) {
    const { out, err, status: ended } = await check(...args)
    assert.equal(ended, status, `${args} ${out}${err}`)
    assert.match(out + err, words)
  }
  calendar.shows = header.replace(/^../, 'ff')
  const lied = await check(...ots('complete.ots', '--node', calendar.url))
  calendar.shows = undefined
  assert.deepEqual(
    [lied.status, /shows another header than that of block/.test(lied.err)],
    [2, true],
    lied.err,
  )
})

/** What the calendar answers, under a height that no block has. */
function raised(of: Calendar, message: Uint8Array) {
  const other = new Calendar()
  other.promised.set(Buffer.from(message).toString('hex'), message)
  other.mine(358_393)
  assert.notEqual(of, other)
  return other.done(message)
}
