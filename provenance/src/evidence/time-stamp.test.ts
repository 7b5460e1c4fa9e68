import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { FormatError } from '../format-error.ts'
import { Authority, type KindOfCertificate, withOpenssl } from '../testing/authority.ts'
import { type Asked, checkedAnswer, keptAnswer, stampRequest, tokenIn } from './ask-stamp.ts'
import { authorityOf, CertificateFault, certificatesIn, nameOf, requireStamping } from './certificates.ts'
import { der, derOid, numbered, readDer, smallNumber, tags, timeOf } from './der.ts'
import { openTimeStamp, StampFault } from './time-stamp.ts'

const BYTES = Buffer.from('fish.example/befaqt/log\n3\n')
const NONCE = Uint8Array.of(0, 0x8f, 1, 2, 3, 4, 5, 6)

let authority: Authority
let asked: Asked
let answer: Uint8Array

before(async () => {
  if ('skip' in withOpenssl) return
  authority = await Authority.make()
  const trusted = certificatesIn((await authority.read('root.pem')).toString())
  const now = Date.now()
  asked = { bytes: BYTES, nonce: NONCE, fromMs: now, untilMs: now, trusted }
  answer = await authority.answer(stampRequest(BYTES, NONCE))
})
after(() => authority?.[Symbol.asyncDispose]())

/** The same time stamp, signed by another certificate. */
const signedBy = async (by: KindOfCertificate): Promise<Uint8Array> =>
  keptAnswer(await authority.token(contentOf(tokenIn(answer)), by))

/** What was signed, by its object identifier before it. */
function contentOf(token: Uint8Array): Uint8Array {
  const bytes = Buffer.from(token)
  const at = bytes.indexOf(Buffer.from('060b2a864886f70d0109100104a0', 'hex')) + 13
  const length = bytes[at + 3] ?? 0
  const isLong = length === 0x81
  const from = at + (isLong ? 5 : 4)
  return bytes.subarray(from, from + (isLong ? (bytes[at + 4] ?? 0) : length))
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

test(
  'an authority’s time stamp is read, vouched for by the root that is named, and OpenSSL takes what is kept',
  withOpenssl,
  async () => {
    const { kept, stamp } = checkedAnswer(answer, asked)
    assert.equal(nameOf(stamp.signer), 'Sample rsa')
    assert.ok(Math.abs(stamp.timeMs - Date.now()) < 60_000)
    assert.deepEqual([stamp.accuracyMs, stamp.serial, stamp.policy], [1_500, '02', '1.3.6.1.4.1.99999.1'])
    assert.equal(
      nameOf(authorityOf(stamp.signer, stamp.others, asked.trusted ?? [], stamp.timeMs)),
      'Sample root',
    )
    assert.equal(await authority.isTaken(kept, BYTES), true)
    assert.equal(await authority.isTaken(kept, Buffer.from('other')), false)
    await authority.certificate('ec')
    const byCurve = await authority.answer(stampRequest(BYTES, NONCE), 'ec')
    assert.equal(await authority.isTaken(checkedAnswer(byCurve, asked).kept, BYTES), true)
  },
)

/** Bits that are changed of each byte: `BITS=8 npm test -- provenance/src/evidence/time-stamp` for all. */
const BITS = Number(process.env.BITS ?? 1)

test('no changed bit of an answer is taken', withOpenssl, () => {
  const taken: number[] = []
  for (let turn = 0; turn < answer.length * BITS; turn++) {
    const [at, bit] = [Math.floor(turn / BITS), (turn * 5) % 8]
    const changed = Uint8Array.from(answer)
    changed[at] = (changed[at] ?? 0) ^ (1 << bit)
    try {
      checkedAnswer(changed, asked)
      taken.push(at)
    } catch (error) {
      const isNamed = [FormatError, StampFault, CertificateFault].some((kind) => error instanceof kind)
      assert.ok(isNamed, `bit ${bit} of byte ${at}: ${error}`)
    }
  }
  assert.deepEqual(taken, [])
})

test('no answer that is cut or continued is taken', withOpenssl, () => {
  for (let length = 0; length < answer.length; length++)
    assert.throws(() => checkedAnswer(answer.subarray(0, length), asked), FormatError, `${length} bytes`)
  assert.throws(() => checkedAnswer(Uint8Array.of(...answer, 0), asked), /followed by something else/)
  assert.throws(() => tokenIn(new Uint8Array(10_000_000)), /over 65536 bytes/)
})

test('another hash, another number, another time, and a refusal are each named', withOpenssl, async () => {
  const other = { ...asked, bytes: Buffer.from('other bytes') }
  assert.throws(() => checkedAnswer(answer, other), /of other bytes/)
  assert.throws(() => checkedAnswer(answer, { ...asked, nonce: Uint8Array.of(9) }), /answers another request/)
  const hour = 3_600_000
  for (const by of [-hour, hour])
    assert.throws(
      () => checkedAnswer(answer, { ...asked, fromMs: asked.fromMs + by, untilMs: asked.untilMs + by }),
      /not that of now: 20/,
    )
  const refused = der(
    tags.sequence,
    der(tags.sequence, der(tags.integer, Uint8Array.of(2)), der(0x03, Uint8Array.of(7, 0x80))),
  )
  assert.throws(
    () => tokenIn(refused),
    /did not grant the time stamp \(status 2\): it does not know the algorithm/,
  )
  const inside = (bytes: Uint8Array): string => hexOf(readDer(bytes, tags.sequence, '$').content)
  const request = inside(stampRequest(BYTES, NONCE))
  const asking = async (hex: string): Promise<Uint8Array> =>
    authority.answer(der(tags.sequence, Buffer.from(hex, 'hex')))
  const unnumbered = await asking(request.replace('0208008f010203040506', ''))
  assert.throws(() => checkedAnswer(unnumbered, asked), /answers another request/)
  const unknown = await asking(request.replace('608648016503040201', '608648016503040202'))
  assert.throws(() => tokenIn(unknown), /did not grant the time stamp \(status 2\): it /)
  const unreadable = await authority.answer(Buffer.from('not a request'))
  assert.throws(() => tokenIn(unreadable), /\(status 2\): it can’t read the request/)
})

test(
  'certificates that are expired, for other uses, or vouched for by nobody who is named',
  withOpenssl,
  async () => {
    for (const kind of ['expired', 'mail', 'more', 'lenient'] as const) await authority.certificate(kind)
    for (const [kind, words] of [
      ['mail', /Sample mail is not one for time stamps alone/],
      ['more', /Sample more is not one for time stamps alone/],
      ['lenient', /Sample lenient is not one for time stamps alone/],
      ['expired', /Sample expired was not valid at that time: it is from Jan {2}1 .*2020/],
    ] as const) {
      const token = await signedBy(kind)
      assert.throws(
        () => checkedAnswer(token, asked),
        (error: Error) => {
          assert.ok(error instanceof CertificateFault, String(error))
          assert.match(error.message, words)
          return true
        },
      )
    }
    await using stranger = await Authority.make()
    const others = certificatesIn((await stranger.read('root.pem')).toString())
    assert.throws(() => checkedAnswer(answer, { ...asked, trusted: others }), /by none of the authorities/)
    assert.doesNotThrow(() => checkedAnswer(answer, { ...asked, trusted: undefined }))
    const own = certificatesIn((await authority.read('rsa.pem')).toString())
    assert.doesNotThrow(
      () => checkedAnswer(answer, { ...asked, trusted: own }),
      'its own certificate is named',
    )
    const below = certificatesIn((await authority.read('below.pem')).toString())
    const { stamp } = checkedAnswer(answer, asked)
    assert.throws(
      () => authorityOf(stamp.signer, [], asked.trusted ?? [], stamp.timeMs),
      /by none/,
      'the certificate between is missing',
    )
    assert.throws(
      () => authorityOf(stamp.signer, [], below, Date.parse('2050-01-01')),
      /Sample authority was not valid/,
    )
  },
)

test('a certificate that is no authority vouches for nothing', withOpenssl, async () => {
  await authority.certificate('lenient')
  const lenient = certificatesIn((await authority.read('lenient.pem')).toString())
  const below = await authority.issuedBy('lenient')
  const { stamp } = checkedAnswer(answer, asked)
  const soon = Date.now() + 60_000
  assert.throws(
    () => authorityOf(below, [...lenient, ...stamp.others], asked.trusted ?? [], soon),
    /Sample lenient is not of an authority/,
  )
  const under = await authority.issuedBy('below', 'basicConstraints=critical,CA:TRUE')
  const last = await authority.issuedBy('issued')
  assert.throws(
    () => authorityOf(last, [under, ...stamp.others], asked.trusted ?? [], soon),
    /Sample authority vouches for no authorities below it/,
  )
  const limited =
    'extendedKeyUsage=critical,timeStamping\nnameConstraints=critical,permitted;DNS:fish.example'
  const strange = await authority.issuedBy('below', limited)
  assert.throws(() => requireStamping(strange, soon), /conditions that are not known: 2\.5\.29\.30/)
})

test(
  'a certificate of the same key, name and number is not taken in place of the one that was signed',
  withOpenssl,
  async () => {
    const twin = await authority.twin('rsa')
    const { stamp } = checkedAnswer(answer, asked)
    const bytes = Buffer.from(answer)
    bytes.set(twin, bytes.indexOf(stamp.signer.x509.raw))
    assert.throws(() => checkedAnswer(bytes, asked), /as by another certificate/)
  },
)

test(
  'what a qualified authority adds to a time stamp is passed over, unless it has to be understood',
  withOpenssl,
  async () => {
    const { content } = readDer(contentOf(tokenIn(answer)), tags.sequence, '$')
    const statement = der(tags.octets, Buffer.from('300a3008060604008e460101', 'hex'))
    const stamped = (...critical: Uint8Array[]): Promise<Uint8Array> => {
      const added = der(numbered(1), der(tags.sequence, derOid('1.3.6.1.5.5.7.1.3'), ...critical, statement))
      return authority.token(der(tags.sequence, content, added), 'rsa')
    }
    assert.equal(nameOf(checkedAnswer(keptAnswer(await stamped()), asked).stamp.signer), 'Sample rsa')
    const critical = keptAnswer(await stamped(der(tags.boolean, Uint8Array.of(0xff))))
    assert.throws(
      () => checkedAnswer(critical, asked),
      /condition that is not known: 1\.3\.6\.1\.5\.5\.7\.1\.3/,
    )
  },
)

test('numbers, lengths and object identifiers have one form', () => {
  const value = (hex: string) => () => readDer(Buffer.from(hex, 'hex'), tags.sequence, '$')
  for (const wrong of [
    '',
    '30',
    '3081',
    '308000',
    '30810101',
    '3082000101',
    '30ff',
    '300100ff',
    '1f00',
    '3184',
  ])
    assert.throws(value(wrong), FormatError, wrong)
  assert.throws(() => openTimeStamp(Buffer.from('3000', 'hex')), FormatError)
  const time = (text: string) => () => timeOf(readDer(der(tags.time, Buffer.from(text)), tags.time, '$'), '$')
  assert.equal(time('20261128010203.25Z')(), Date.parse('2026-11-28T01:02:03.250Z'))
  for (const wrong of [
    '20261128010203.50Z',
    '20261128010203.Z',
    '20260230010203Z',
    '202611280102Z',
    '20261128010203',
  ])
    assert.throws(time(wrong), FormatError, wrong)
  const number = (hex: string) => () => smallNumber(readDer(Buffer.from(hex, 'hex'), tags.integer, '$'), '$')
  assert.equal(number('020200ff')(), 255)
  for (const wrong of ['0200', '02020001', '0201ff', '02050100000000'])
    assert.throws(number(wrong), FormatError, wrong)
})
