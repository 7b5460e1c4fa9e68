import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientNetwork } from '#server/http/client-network.ts'
import { cheapPasswords, makeUser } from '#server/testing/accounts.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'
import { proxyTrust } from './trusted-proxies.ts'

const wrong = { email: 'ann@example.com', password: 'wrong one' }

/** Statuses of sign-ins with a wrong password from `remoteAddress`, each for another account, with these headers. */
const guesses = async (
  { app }: TestShop,
  remoteAddress: string,
  count: number,
  headers: (n: number) => Record<string, string>,
): Promise<number[]> => {
  const statuses: number[] = []
  for (let n = 0; n < count; n++) {
    const payload = { ...wrong, email: `a${n}@example.com` }
    const reply = await app.inject({
      method: 'POST',
      url: '/api/user/signIn',
      remoteAddress,
      payload,
      headers: headers(n),
    })
    statuses.push(reply.statusCode)
  }
  return statuses
}

const limited = (statuses: number[]): number => statuses.filter((status) => status === 429).length

test('forwarded headers are trusted only when a setting says so', async () => {
  await using shop = await testShop({ deps: { passwords: cheapPasswords } })
  const rotating = (n: number) => ({ 'x-forwarded-for': `198.51.100.${n}`, forwarded: `for=198.51.100.${n}` })
  assert.equal(limited(await guesses(shop, '127.0.0.1', 53, rotating)), 3)
})

test('behind a trusted proxy visitors are counted separately, IPv6 by network; a forged part of the header is ignored', async () => {
  const env = { TRUSTED_PROXIES: '10.1.2.3, fd00::/8' }
  await using shop = await testShop({ env, deps: { passwords: cheapPasswords } })
  const behind = (address: string) => () => ({ 'x-forwarded-for': address })
  const first = await guesses(shop, '10.1.2.3', 51, behind('2001:db8::7'))
  assert.equal(limited(first), 1)
  assert.equal(limited(await guesses(shop, '10.1.2.3', 1, behind('2001:db8::ffff'))), 1, 'the same household')
  assert.equal(limited(await guesses(shop, 'fd00::1', 1, behind('2001:db8:0:1::7'))), 0, 'the next')
  const forged = (n: number) => ({ 'x-forwarded-for': `203.0.113.${n}, 2001:db8::7` })
  assert.equal(limited(await guesses(shop, '10.1.2.3', 1, forged)), 1)
  assert.equal(limited(await guesses(shop, '10.1.2.4', 53, forged)), 3, 'its neighbour is not trusted')
})

test('sessions show the address of the visitor, not that of the trusted proxy', async () => {
  const env = { TRUSTED_PROXIES: 'loopback' }
  await using shop = await testShop({ env, deps: { passwords: cheapPasswords } })
  await makeUser(shop, { ...wrong, password: 'right one' })
  const headers = { 'x-forwarded-for': '198.51.100.7' }
  const payload = { ...wrong, password: 'right one' }
  const entered = await shop.app.inject({ method: 'POST', url: '/api/user/signIn', payload, headers })
  const authorization = `Bearer ${entered.json().token}`
  const list = await shop.app.inject({ url: '/api/user/sessions', headers: { authorization } })
  assert.equal(list.json()[0].address, '198.51.100.7')
})

test('ranges, names and mapped addresses are accepted; nothing else is', () => {
  const trusts = proxyTrust(['loopback', 'uniquelocal', '192.0.2.1', '2001:db8::/32'])
  for (const address of ['127.0.0.9', '::1', '::ffff:127.0.0.1', '10.9.9.9', '192.0.2.1', '2001:db8:9::1'])
    assert.equal(trusts(address), true, address)
  for (const address of [
    '192.0.2.2',
    '2001:db9::1',
    '::ffff:8.8.8.8',
    'localhost',
    '',
    '127.0.0.1:80',
    undefined,
  ])
    assert.equal(trusts(address), false, address)
  assert.equal(proxyTrust([])('127.0.0.1'), false)
})

test('a port forwarded with the address is not part of the network', () => {
  for (const [address, network] of [
    ['198.51.100.7:50123', '198.51.100.7'],
    ['[2001:db8::7]:50123', '2001:db8:0:0::/64'],
    ['2001:db8::7', '2001:db8:0:0::/64'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
  ] as const)
    assert.equal(clientNetwork(address), network)
})
