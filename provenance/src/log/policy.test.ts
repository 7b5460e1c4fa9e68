import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashOf, utf8 } from '../digest.ts'
import { FormatError } from '../format-error.ts'
import { keyTypes, verifierKey, verifierKeyText } from './note.ts'
import { parsePolicy, policyText, witnessed } from './policy.ts'
import type { OpenedCheckpoint } from './signed-checkpoint.ts'
import { EMPTY_ROOT } from './tree.ts'

const ORIGIN = 'shop.fish.example/befaqt/log'
const key = (name: string, type: number = keyTypes.ed25519Cosigner, of = name) =>
  verifierKey(name, type, hashOf(utf8(of)))
const log = key(ORIGIN, keyTypes.ed25519)
const text = (name: string, type?: number, of?: string): string => verifierKeyText(key(name, type, of))
const LOG = `log ${verifierKeyText(log)}`
const [A, B, C, D] = ['a.example/w', 'b.example/w', 'c.example/w', 'd.example/w'] as const
const witness = (name: string): string => `witness ${name[0]} ${text(name)}`

/** A checkpoint that these witnesses signed. */
const signedBy = (...names: string[]): OpenedCheckpoint => ({
  checkpoint: { origin: ORIGIN, size: 0, root: EMPTY_ROOT },
  note: { text: '', signatures: [] },
  cosignatures: names.map((name) => ({ key: key(name), timeS: 1 })),
  unchecked: [],
})

const parse = (...lines: string[]) => parsePolicy(utf8(`${lines.join('\n')}\n`))
const outcome = (lines: string[], ...names: string[]) => {
  const { quorum, k, n } = witnessed(signedBy(...names), parse(LOG, ...lines))
  return `${quorum} ${k} of ${n}`
}

test('k of n counts the members of the quorum', () => {
  const three = [A, B, C].map(witness)
  const two = [...three, 'group q 2 a b c', 'quorum q']
  assert.equal(outcome(two, A, C), 'reached 2 of 3')
  assert.equal(outcome(two, A), 'missed 1 of 3')
  assert.equal(outcome(two, A, D), 'missed 1 of 3')
  assert.equal(outcome([...three, 'group q any a b c', 'quorum q'], B), 'reached 1 of 3')
  assert.equal(outcome([...three, 'group q all a b c', 'quorum q'], A, B), 'missed 2 of 3')
  assert.equal(outcome([...three, 'quorum b'], B), 'reached 1 of 1')
  assert.equal(outcome([...three, 'quorum none'], B), 'none 0 of 0')
  const nested = [...three, witness(D), 'group x all a b', 'group y any c d', 'group q all x y', 'quorum q']
  assert.equal(outcome(nested, A, B, D), 'reached 2 of 2')
  assert.equal(outcome(nested, A, D), 'missed 1 of 2')
})

test('a witness with two keys counts once', () => {
  const keys = [text(A), text(A, keyTypes.ed25519Cosigner, 'other')]
  const lines = [`witness a1 ${keys[0]}`, `witness a2 ${keys[1]}`, 'group a any a1 a2', witness(B)]
  const signed = signedBy(A)
  const both = {
    ...signed,
    cosignatures: [...signed.cosignatures, { key: key(A, keyTypes.ed25519Cosigner, 'other'), timeS: 2 }],
  }
  const { quorum, k, n } = witnessed(both, parse(LOG, ...lines, 'group q 2 a b', 'quorum q'))
  assert.deepEqual([quorum, k, n], ['missed', 1, 2])
})

test('a witness of the log itself, or with its key, is not counted', () => {
  const own = 'witness.fish.example'
  assert.equal(outcome([`witness o ${text(own)}`, 'quorum o'], own), 'missed 0 of 1')
  assert.equal(outcome([`witness o ${text(A)} https://w.fish.example/`, 'quorum o'], A), 'missed 0 of 1')
  assert.equal(outcome([`witness o ${text(A)} https://w.example/`, 'quorum o'], A), 'reached 1 of 1')
  const stolen = text(B, keyTypes.ed25519Cosigner, ORIGIN)
  const opened = {
    ...signedBy(),
    cosignatures: [{ key: key(B, keyTypes.ed25519Cosigner, ORIGIN), timeS: 1 }],
  }
  const { quorum } = witnessed(opened, parse(LOG, `witness b ${stolen}`, 'quorum b'))
  assert.equal(quorum, 'missed')
})

test('white space, comments and names of any bytes are read; names are the same byte by byte only', () => {
  const policy = parsePolicy(
    Uint8Array.from(
      [
        '',
        '  # comment',
        '\t',
        `\tlog\t${verifierKeyText(log)}  https://x.example`,
        `witness \xe2\x84\xaa ${text(A)}`,
        `witness K ${text(B)}`,
        'quorum \xe2\x84\xaa\t',
        '',
      ].join('\n'),
      (letter) => letter.charCodeAt(0),
    ),
  )
  assert.equal(policy.logs[0]?.url, 'https://x.example')
  assert.deepEqual(witnessed(signedBy(A), policy).quorum, 'reached')
  assert.deepEqual(witnessed(signedBy(B), policy).quorum, 'missed')
})

test('what is no policy is refused with the number of its line', () => {
  const bad: [string[], RegExp][] = [
    [[LOG], /quorum/],
    [['quorum none', 'quorum none'], /\$\[1\]/],
    [[LOG, LOG, 'quorum none'], /\$\[1\]: has the key of another/],
    [[witness(A), `witness b ${text('other.example', undefined, A)}`, 'quorum none'], /\$\[1\]: has the key/],
    [[witness(A), `witness a ${text(B)}`, 'quorum none'], /\$\[1\]: gives a name that is taken/],
    [[`witness none ${text(A)}`, 'quorum none'], /taken/],
    [[`log ${text(A)}`, 'quorum none'], /another kind/],
    [[`witness a ${verifierKeyText(log)}`, 'quorum none'], /another kind/],
    [[`witness a ${text(A).replace('+', '+0')}`, 'quorum none'], /must be a key/],
    [['group g any a', witness(A), 'quorum g'], /\$\[0\]: names what no line before/],
    [['quorum a', witness(A)], /\$\[0\]: names what no line before/],
    [[witness(A), 'group g any none', 'quorum g'], /names what no line/],
    [[witness(A), 'group g any a a', 'quorum g'], /again/],
    [[witness(A), 'group g any a', 'group h any a', 'quorum g'], /\$\[2\]: names a member of a group again/],
    [[witness(A), 'group g 2 a', 'quorum g'], /number/],
    [[witness(A), 'group g 0 a', 'quorum g'], /number/],
    [[witness(A), 'group g 01 a', 'quorum g'], /number/],
    [[witness(A), 'group g any', 'quorum g'], /no line of a policy/],
    [['Quorum none'], /no line of a policy/],
    [['quorum none extra'], /no line of a policy/],
    [['quorum\u00a0none'], /no line of a policy/],
    [['quorum none\r'], /control/],
    [Array(1_001).fill('#'), /lines/],
    [['#'.repeat(262_145)], /bytes/],
    [
      Array.from({ length: 65 }, (_, i) => `log ${text(`l${i}`, keyTypes.ed25519)}`),
      /\$\[64\]: is one of more than 64/,
    ],
  ]
  for (const [lines, words] of bad)
    assert.throws(
      () => parse(...lines),
      (error) => error instanceof FormatError && words.test(error.message),
      lines[0],
    )
  assert.throws(() => parsePolicy(utf8('quorum none')), /newline/)
})

test('the text of a policy says of one log what the policy does', () => {
  const lines = [
    LOG,
    `${witness(A)} https://a.example/w`,
    witness(B),
    witness(C),
    'group any 1 a b',
    'group all 2 any c',
    'quorum all',
  ]
  const policy = parse(...lines)
  assert.equal(policyText(policy, log), `${lines.join('\n')}\n`)
  const other = key('other.example/log', keyTypes.ed25519)
  const again = parsePolicy(Buffer.from(policyText(policy, other), 'latin1'))
  assert.deepEqual(again.logs, [{ key: other, url: undefined }])
  assert.deepEqual([again.witnesses, again.groups, again.quorum], [policy.witnesses, policy.groups, 'all'])
  assert.equal(policyText(parse(LOG, 'quorum none'), log), `${LOG}\nquorum none\n`)
  const latin = parsePolicy(Buffer.from(`${LOG}\nwitness h\u00f6 ${text(A)}\nquorum h\u00f6\n`, 'latin1'))
  assert.deepEqual(parsePolicy(Buffer.from(policyText(latin, log), 'latin1')), latin)
})
