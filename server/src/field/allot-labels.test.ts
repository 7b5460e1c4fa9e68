import assert from 'node:assert/strict'
import { test } from 'node:test'
import { users } from '#server/db/schema/accounts.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { ago, caught, DAY, fieldShop, send, supplier } from '#server/testing/field.ts'

const env = { GS1_COMPANY_PREFIX: '9506000', PUBLIC_URL: 'https://shop.example' }

for (const [name, open] of testDatabases)
  test(`${name}: labels of allotted numbers are printed before there is a box, and say nothing but the number`, async () => {
    await using shop = await fieldShop({ open, env })
    const ann = await supplier(shop, 'ann', 'Sample Fisher')
    const bo = await supplier(shop, 'bo', 'Sample Carrier')
    const admin = await callerOf(shop, 'admin', 'ADMIN')
    const allot = async (userId: string, first: string, count: number) =>
      (await admin('POST', `/api/manage/supplier/${userId}/labels`, { first, count })).json()
    await allot('ann', 'L-001', 10)
    const { id: more } = await allot('ann', 'L-011', 5)
    await allot('bo', 'L-016', 5)
    const asked = (first: string, count: number | string) => `first=${first}&count=${count}&format=zpl`
    const print = (first: string, count: number | string) =>
      admin('GET', `/api/manage/supplier/ann/labels?${asked(first, count)}`)
    const own = (call: typeof ann, first: string, count: number) =>
      call('GET', `/api/field/labels?${asked(first, count)}`)
    const refusal = async (answer: ReturnType<typeof print>) => {
      const { statusCode, body } = await answer
      assert.equal(statusCode, 409, body)
      return JSON.parse(body).error.message
    }

    const pdf = await admin('GET', '/api/manage/supplier/ann/labels?first=L-001&count=15')
    assert.deepEqual([pdf.statusCode, pdf.headers['content-type']], [200, 'application/pdf'])
    assert.match(pdf.rawPayload.subarray(0, 8).toString('latin1'), /^%PDF-1/)
    const zpl = await print('L-009', 3)
    assert.equal(zpl.headers['content-type'], 'application/x-zpl')
    const fields = [...zpl.body.matchAll(/\^FH_\^FD(.*)\^FS/g)].map(([, text]) => text)
    assert.deepEqual(
      fields,
      ['L-009', 'L-010', 'L-011'].flatMap((boxID) => [
        `MA,https://shop.example/SFMBox/byId/${boxID}`,
        shop.deps.siteFile.name,
        boxID,
      ]),
      'an address, the shop and the number: no SSCC, no species, no date',
    )
    assert.equal((await own(ann, 'L-009', 3)).body, zpl.body)

    assert.equal((await send(ann, caught('ann', 'L-002'))).statusCode, 201)
    assert.equal(
      await refusal(print('L-001', 3)),
      'L-002 is used by a box already. Labels of boxes are printed on Manage Box.',
    )
    assert.equal(await refusal(own(ann, 'L-001', 3)), 'L-002 is used by a box already.')
    assert.equal((await print('L-003', 8)).statusCode, 200, 'none of them is used')
    const late = caught('ann', 'L-003', { madeAt: ago(20 * DAY) })
    assert.equal((await send(ann, late)).json().claim, 'waiting')
    assert.equal(await refusal(print('L-003', 1)), 'L-003 is used by a catch that waits.')

    assert.equal(
      await refusal(print('L-014', 4)),
      'L-016 and L-017 are allotted to Sample Carrier, not to Sample Fisher.',
    )
    assert.equal(
      await refusal(own(ann, 'L-015', 3)),
      'L-016 and L-017 are not allotted to you, or not any more.',
      'no supplier is told who else has a number',
    )
    assert.equal(
      await refusal(own(bo, 'L-001', 7)),
      'L-001, L-002, L-003, L-004, L-005 and 2 more are not allotted to you, or not any more.',
      'nor what another’s numbers are used for',
    )
    await admin('DELETE', `/api/manage/supplier/labels/${more}`)
    assert.equal(await refusal(print('L-010', 2)), 'L-011 is not allotted to Sample Fisher, or not any more.')

    const wrong = [
      ['L-', 1],
      ['L-001', 0],
      ['L-001', 101],
      ['L-999', 2],
      ['L-001', 1.5],
      ['L 1', 1],
    ] as const
    for (const [first, count] of wrong)
      assert.equal((await print(first, count)).statusCode, 400, `${first} ${count}`)
    assert.equal((await own(admin, 'L-001', 1)).statusCode, 403, 'a manager has no labels of their own')
    const others = await ann('GET', `/api/manage/supplier/bo/labels?${asked('L-016', 1)}`)
    assert.equal(others.statusCode, 403)
    await shop.deps.db.delete(users)
    const gone = await callerOf(shop, 'admin', 'ADMIN')
    const left = await gone('GET', `/api/manage/supplier/ann/labels?${asked('L-001', 1)}`)
    assert.deepEqual([left.statusCode, left.json().error.code], [404, 'user.not_found'])
  })
