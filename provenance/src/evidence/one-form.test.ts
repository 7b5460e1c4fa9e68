import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { after, before, test } from 'node:test'
import { FormatError } from '../format-error.ts'
import { Authority, withOpenssl } from '../testing/authority.ts'
import { isSignedBy } from './algorithms.ts'
import { type Asked, checkedAnswer, keptAnswer, stampRequest, tokenIn } from './ask-stamp.ts'
import { authorityOf, certificatesIn, requireStamping } from './certificates.ts'
import { DerParts, der, readDer, tags } from './der.ts'
import { parseBlocks, parseCalendarAnswer } from './ots.ts'

/* What is written in another way than the standards have it, or by a key that is for something else, and signed all the same. */

const BYTES = Buffer.from('fish.example/befaqt/log\n3\n')
const NONCE = Uint8Array.of(0, 0x8f, 1, 2, 3, 4, 5, 6)

let authority: Authority
let asked: Asked
let token: Uint8Array

before(async () => {
  if ('skip' in withOpenssl) return
  authority = await Authority.make()
  await authority.certificate('ec')
  const trusted = certificatesIn((await authority.read('root.pem')).toString())
  const now = Date.now()
  asked = { bytes: BYTES, nonce: NONCE, fromMs: now, untilMs: now, trusted }
  token = tokenIn(await authority.answer(stampRequest(BYTES, NONCE), 'ec'))
})
after(() => authority?.[Symbol.asyncDispose]())

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const check = (of: Uint8Array) => () => checkedAnswer(keptAnswer(of), asked)

/** The parts of a value, as bytes. */
function partsOf(whole: Uint8Array): Uint8Array[] {
  const parts = new DerParts(readDer(whole, whole[0] ?? 0, '$'), '$')
  const found: Uint8Array[] = []
  const known = [...Object.values(tags), 0x80, 0x81, 0xa0, 0xa1, 0xa3]
  for (let part = next(); part !== undefined; part = next()) found.push(part)
  return found
  function next(): Uint8Array | undefined {
    for (const tag of known) {
      const part = parts.optional(tag)
      if (part !== undefined) return part.whole
    }
    parts.end()
    return undefined
  }
}

/** A value with another one in the place to which these numbers of parts lead; −1: the last. */
function withPart(
  whole: Uint8Array,
  way: readonly number[],
  make: (old: Uint8Array) => Uint8Array,
): Uint8Array {
  const [first, ...rest] = way
  if (first === undefined) return make(whole)
  const parts = partsOf(whole)
  const at = first < 0 ? parts.length + first : first
  return der(whole[0] ?? 0, ...parts.map((part, i) => (i === at ? withPart(part, rest, make) : part)))
}

/** In the token: what was signed, and how. */
const CONTENT = [1, 0, 2, 1, 0]
const ALGORITHM = [1, 0, -1, 0, 4]

/** The same time stamp with other words, signed by the authority all the same. */
async function signed(from: string, to: string): Promise<Uint8Array> {
  let content = ''
  withPart(token, CONTENT, (old) => {
    content = hexOf(readDer(old, tags.octets, '$').content)
    return old
  })
  const inside = hexOf(readDer(Buffer.from(content, 'hex'), tags.sequence, '$').content)
  assert.ok(inside.includes(from), inside)
  return authority.token(der(tags.sequence, Buffer.from(inside.replace(from, to), 'hex')), 'ec')
}

test(
  'parts of a second and what is no by itself have one form, whoever signed another',
  withOpenssl,
  async () => {
    assert.doesNotThrow(check(token))
    assert.doesNotThrow(check(await signed('3007020101800201f4', '3007020101800201f4')), 'as it is')
    assert.throws(
      check(await signed('3007020101800201f4', '300702010180020400')),
      /parts of a second from 1 to 999/,
    )
    assert.throws(
      check(await signed('3007020101800201f4', '3006020101800100')),
      /parts of a second from 1 to 999/,
    )
    assert.throws(
      check(await signed('3007020101800201f4', '3007020101810203e8')),
      /parts of a second from 1 to 999/,
    )
    const nonce = '0208008f010203040506'
    assert.doesNotThrow(check(await signed(nonce, `0101ff${nonce}`)))
    assert.throws(check(await signed(nonce, `010100${nonce}`)), /says no where nothing says it/)
    const extension = (critical: string): string =>
      `a1${critical === '' ? '08' : '0b'}30${critical === '' ? '06' : '09'}06022a03${critical}0400`
    assert.doesNotThrow(check(await signed(nonce, nonce + extension(''))))
    assert.throws(check(await signed(nonce, nonce + extension('010100'))), /says no where nothing says it/)
    assert.throws(
      check(await signed(nonce, nonce + extension('0101ff'))),
      /condition that is not known: 1\.2\.3/,
    )
  },
)

test(
  'a signature by a curve takes no parameter, one hash is announced and used, and no attribute is there twice',
  withOpenssl,
  () => {
    const more = withPart(token, ALGORITHM, (old) => der(tags.sequence, ...partsOf(old), der(tags.nothing)))
    assert.throws(check(more), /has parameters/)
    const announced = (old: Uint8Array): Uint8Array =>
      Buffer.from(hexOf(old).replace('608648016503040201', '608648016503040203'), 'hex')
    assert.throws(check(withPart(token, [1, 0, 1], announced)), /not the one that is announced/)
    const twice = (old: Uint8Array): Uint8Array =>
      der(old[0] ?? 0, ...partsOf(old), partsOf(old)[0] ?? new Uint8Array())
    assert.throws(check(withPart(token, [1, 0, -1, 0, 3], twice)), /has an attribute twice/)
    assert.deepEqual(
      withPart(token, ALGORITHM, (old) => old),
      token,
    )
  },
)

test('Ed25519 goes with SHA-512 and no other hash', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const made = { algorithm: '1.3.101.112', signed: BYTES, signature: sign(null, BYTES, privateKey) }
  assert.equal(isSignedBy(publicKey, { ...made, hash: 'sha512' }, '$'), true)
  assert.throws(() => isSignedBy(publicKey, { ...made, hash: 'sha256' }, '$'), /names two hashes/)
})

test('a key that is for something else stamps nothing, as OpenSSL has it', withOpenssl, async () => {
  const stamping = 'extendedKeyUsage=critical,timeStamping'
  const soon = Date.now() + 60_000
  for (const [usage, isFor] of [
    ['keyUsage=critical,digitalSignature', true],
    ['keyUsage=critical,nonRepudiation', true],
    ['keyUsage=critical,digitalSignature,nonRepudiation', true],
    ['keyUsage=critical,keyAgreement', false],
    ['keyUsage=critical,keyCertSign', false],
    ['keyUsage=critical,digitalSignature,keyAgreement', false],
    ['keyUsage=critical,digitalSignature,decipherOnly', false],
    ['2.5.29.15=critical,DER:03:01:00', false],
  ] as const) {
    const one = await authority.issuedBy('below', `${stamping}\n${usage}`)
    const found = () => requireStamping(one, soon)
    if (isFor) assert.doesNotThrow(found, usage)
    else assert.throws(found, /The key of Sample issued is not one for signatures alone/, usage)
  }
  const free = await authority.issuedBy('below', stamping)
  assert.doesNotThrow(() => requireStamping(free, soon))
})

test(
  'an authority that vouches for other uses vouches for no time stamp, unless it is named',
  withOpenssl,
  async () => {
    const soon = Date.now() + 60_000
    const ofAuthority = 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign'
    for (const [usage, isFor] of [
      ['', true],
      ['\nextendedKeyUsage=timeStamping', true],
      ['\nextendedKeyUsage=anyExtendedKeyUsage', true],
      ['\nextendedKeyUsage=emailProtection', false],
      ['\nextendedKeyUsage=critical,serverAuth,clientAuth', false],
    ] as const) {
      const above = await authority.issuedBy('root', ofAuthority + usage)
      const leaf = await authority.issuedBy('issued')
      const found = () => authorityOf(leaf, [above], asked.trusted ?? [], soon)
      if (isFor) assert.doesNotThrow(found, usage)
      else assert.throws(found, /Sample issued vouches for other uses than time stamps/, usage)
      assert.equal(authorityOf(leaf, [], [above], soon), above)
    }
    const lists = await authority.issuedBy(
      'root',
      'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,cRLSign',
    )
    const leaf = await authority.issuedBy('issued')
    for (const named of [asked.trusted ?? [], [lists]])
      assert.throws(() => authorityOf(leaf, [lists], named, soon), /by none of the authorities/)
  },
)

test('an attestation stands in a proof once, and a block in a file of them', () => {
  const bitcoin = ['00', '0588960d73d71901', '01', '05'].join('')
  const read = (hex: string) => () => parseCalendarAnswer(Buffer.from(hex, 'hex'), BYTES)
  assert.doesNotThrow(read(bitcoin))
  assert.doesNotThrow(read(`ff${bitcoin}${bitcoin.replace(/05$/, '06')}`))
  assert.throws(
    read(`ff${bitcoin}${bitcoin}`),
    (error: Error) => error instanceof FormatError && /attestation twice/.test(error.message),
  )
  const [one, other] = ['00', '01'].map((byte) => byte.repeat(80))
  assert.equal(parseBlocks(Buffer.from(`5 ${one}\n6 ${other}\n`)).size, 2)
  for (const twice of [one, other])
    assert.throws(() => parseBlocks(Buffer.from(`5 ${one}\n5 ${twice}\n`)), /one header for each height/)
})
