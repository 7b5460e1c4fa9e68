import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { hashOf } from '@befaqt/provenance/digest'
import { keptAnswer, stampRequest, tokenIn } from '@befaqt/provenance/evidence/ask-stamp'
import { attestationsIn, parseOts } from '@befaqt/provenance/evidence/ots'
import { Authority, withOpenssl } from '@befaqt/provenance/testing/authority'
import { asc } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { logStamps } from '#server/db/schema/anchor-log.ts'
import { testDatabases, testDb } from '#server/testing/database.ts'
import { stampingShop } from '#server/testing/stamps.ts'
import { noteOf, stampFault } from './stamp-rows.ts'

const stampsIn = (db: Db) => db.select().from(logStamps).orderBy(asc(logStamps.day))

const attested = (ots: Uint8Array | null | undefined) =>
  attestationsIn(parseOts(new Uint8Array(ots ?? []))).map(({ attestation }) => attestation.kind)

for (const [name, open] of testDatabases)
  test(
    `${name}: one checkpoint a day is stamped, and its promises are asked about daily until a block has them`,
    withOpenssl,
    async () => {
      await using t = await open()
      await using shop = await stampingShop(t.db)
      const { authority, calendars } = shop
      const [first, second] = calendars
      assert.ok(first !== undefined && second !== undefined)
      const counts = () => [authority.asked, first.sent, second.sent, first.asked, second.asked]
      await shop.hour()
      const [one] = await stampsIn(t.db)
      assert.ok(one?.tsr && one.ots)
      const note = Buffer.from(await noteOf(t.db, one))
      assert.equal(one.day, new Date().toISOString().slice(0, 10))
      assert.equal(await authority.isTaken(new Uint8Array(one.tsr), note), true, 'OpenSSL takes it')
      assert.equal(one.stampedBy, 'Sample rsa')
      assert.deepEqual([...parseOts(new Uint8Array(one.ots)).message], [...hashOf(note)])
      assert.deepEqual(attested(one.ots), ['pending', 'pending'])
      assert.deepEqual(counts(), [1, 1, 1, 0, 0])

      await shop.grow()
      await shop.hour()
      assert.deepEqual(counts(), [1, 1, 1, 0, 0], 'one a day')
      await shop.day()
      await shop.hour()
      const [, two] = await stampsIn(t.db)
      assert.deepEqual([two?.size, counts()], [2, [2, 2, 2, 1, 1]])
      await shop.hour()
      await shop.day()
      first.mine(920_001)
      await shop.hour()
      assert.deepEqual(
        (await stampsIn(t.db)).map(({ size }) => size),
        [1, 2],
        'nothing new, nothing to stamp',
      )
      const [done, also] = await stampsIn(t.db)
      assert.deepEqual([done?.isComplete, also?.isComplete], [true, true])
      assert.deepEqual(attested(done?.ots).toSorted(), ['bitcoin', 'pending'])
      assert.equal(await authority.isTaken(new Uint8Array(done?.tsr ?? []), note), true)
      const before = counts()
      await shop.day()
      await shop.hour()
      assert.deepEqual(counts(), before, 'what is complete is not asked about')
      assert.equal(await stampFault(t.db), null)
    },
  )

for (const [name, open] of testDatabases)
  test(`${name}: several workers at once keep one stamp of one checkpoint`, withOpenssl, async () => {
    await using t = await open()
    await using shop = await stampingShop(t.db)
    const growing = shop.grow()
    await Promise.all([shop.hour(), shop.hour(), shop.hour()])
    await growing
    await shop.hour()
    const stamps = await stampsIn(t.db)
    assert.equal(stamps.length, 1)
    const [one] = stamps
    assert.ok(one?.tsr && one.ots)
    const note = Buffer.from(await noteOf(t.db, one))
    assert.equal(await shop.authority.isTaken(new Uint8Array(one.tsr), note), true)
    assert.deepEqual([...parseOts(new Uint8Array(one.ots)).message], [...hashOf(note)])
  })

const sends =
  (body: Uint8Array | string, status = 200) =>
  (_request: Uint8Array, response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': 'application/timestamp-reply' }).end(body)

test(
  'an authority that answers what it was not asked for, too much, too late or not at all is named, and asked again',
  withOpenssl,
  async () => {
    await using t = await testDb()
    await using shop = await stampingShop(t.db)
    const { authority } = shop
    for (const kind of ['expired', 'mail'] as const) await authority.certificate(kind)
    const real = authority.answer.bind(authority)
    const content = (answer: Uint8Array): Uint8Array => {
      const bytes = Buffer.from(answer)
      const at = bytes.indexOf(Buffer.from('060b2a864886f70d0109100104a0', 'hex')) + 15
      const from = at + (bytes[at + 2] === 0x81 ? 4 : bytes[at + 1] === 0x81 ? 3 : 2)
      return bytes.subarray(from, from + (bytes[from - 1] ?? 0))
    }
    const signedBy = (by: 'expired' | 'mail') => async (request: Uint8Array, response: ServerResponse) =>
      sends(keptAnswer(await authority.token(content(tokenIn(await real(request))), by)))(request, response)
    const cases: [NonNullable<typeof authority.instead>, RegExp][] = [
      [sends(Buffer.alloc(10_000_000)), /Its answer is too long/],
      [() => undefined, /could not be reached/],
      [sends('', 503), /answers with status 503/],
      [(_request, response) => void response.writeHead(302, { location: '/' }).end(), /could not be reached/],
      [sends('<html>'), /can’t be read/],
      [
        async (request, response) => sends(await real(Buffer.from('not a request')))(request, response),
        /did not grant/,
      ],
      [
        async (_request, response) =>
          sends(await real(stampRequest(Buffer.from('x'), Buffer.alloc(8, 1))))(_request, response),
        /of other bytes/,
      ],
      [
        async (request, response) => {
          const other = Uint8Array.from(request)
          other[request.length - 5] = (other[request.length - 5] ?? 0) ^ 1 // a bit of the number
          sends(await real(other))(request, response)
        },
        /answers another request/,
      ],
      [signedBy('expired'), /Sample expired was not valid at that time/],
      [signedBy('mail'), /Sample mail is not one for time stamps alone/],
    ]
    for (const [instead, words] of cases) {
      authority.instead = instead
      await shop.hour({}, instead === cases[1]?.[0] ? 300 : 5_000)
      const [one] = await stampsIn(t.db)
      assert.equal(one?.tsr, null, String(words))
      assert.match(one?.fault ?? '', words)
      assert.match(one?.fault ?? '', /^The authority at 127\.0\.0\.1:\d+: /)
      assert.deepEqual(attested(one?.ots), ['pending', 'pending'], 'calendars are asked all the same')
    }
    await shop.day()
    authority.instead = undefined
    await shop.hour()
    assert.equal(await stampFault(t.db), null)
    const [late, ...more] = await stampsIn(t.db)
    assert.ok(late?.tsr, 'a day later, since the log did not grow')
    assert.deepEqual(more, [])
  },
)

test('a stranger’s authority, and an address that nobody listens at', withOpenssl, async () => {
  await using t = await testDb()
  await using shop = await stampingShop(t.db)
  await using stranger = await Authority.make()
  await shop.hour({ TIMESTAMP_CA: (await stranger.read('root.pem')).toString() })
  assert.match((await stampFault(t.db)) ?? '', /vouched for by none of the authorities/)
  await shop.hour({ TIMESTAMP_URL: 'http://127.0.0.1:1/' })
  assert.match((await stampFault(t.db)) ?? '', /could not be reached/)
  await shop.hour({ TIMESTAMP_CA: undefined })
  assert.equal(await stampFault(t.db), null, 'nobody is named, so whoever signed counts')
})

test(
  'an authority that wants a user name is told it in a header, and others nothing',
  withOpenssl,
  async () => {
    await using t = await testDb()
    await using shop = await stampingShop(t.db)
    const url = (shop.deps.config.TIMESTAMP_URL ?? '').replace('http://', 'http://ann:fish%20soup@')
    await shop.hour({ TIMESTAMP_URL: url })
    assert.equal(await stampFault(t.db), null)
    assert.equal(shop.authority.authorization, `Basic ${Buffer.from('ann:fish soup').toString('base64')}`)
  },
)

test(
  'calendars that lie or are away: one that promises is enough, none is a fault, and promises lead nowhere else',
  withOpenssl,
  async () => {
    await using t = await testDb()
    await using shop = await stampingShop(t.db)
    const [first, second] = shop.calendars
    assert.ok(first !== undefined && second !== undefined)
    second.instead = (response) => void response.end(Buffer.alloc(1_000_000))
    for (const [instead, words] of [
      [(response: ServerResponse) => void response.end(Buffer.alloc(1_000_000)), /too long/],
      [(response: ServerResponse) => void response.end('garbage'), /can’t be read/],
      [(response: ServerResponse) => void response.writeHead(500).end(), /status 500/],
      [
        (response: ServerResponse) => void response.end(Buffer.from('000588960d73d7190103d5b215', 'hex')),
        /promises nothing/,
      ],
    ] as const) {
      first.instead = instead
      await shop.hour()
      assert.match((await stampFault(t.db)) ?? '', words)
      assert.equal((await stampsIn(t.db))[0]?.ots, null)
    }
    first.instead = undefined
    first.names = 'http://127.0.0.1:1/elsewhere'
    await shop.hour()
    assert.match(
      (await stampFault(t.db)) ?? '',
      /promises in the name of http:\/\/127\.0\.0\.1:1\/elsewhere: set that address/,
    )
    first.names = undefined
    await shop.hour()
    assert.deepEqual([await stampFault(t.db), attested((await stampsIn(t.db))[0]?.ots)], [null, ['pending']])
    assert.ok(shop.told.includes('not every calendar promises anything'))

    await shop.day()
    first.instead = (response) => void response.end('garbage')
    await shop.hour()
    assert.ok(shop.told.includes('a calendar does not say what became of its promise'))
    assert.deepEqual(attested((await stampsIn(t.db))[0]?.ots), ['pending'], 'the promise is kept')
    const { asked } = first
    await shop.day()
    first.instead = undefined
    await shop.hour({ OPENTIMESTAMPS_URLS: [second.url] })
    assert.equal(first.asked, asked, 'one that is not named any more is not asked')
  },
)
