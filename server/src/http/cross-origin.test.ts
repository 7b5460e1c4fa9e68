import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type AttackedShop, ann, attackedShop, PUBLIC_URL, refusal } from '#server/testing/attacked-shop.ts'

let attacked: AttackedShop
before(async () => {
  attacked = await attackedShop()
})
after(() => attacked[Symbol.asyncDispose]())

test('however a protected URL is spelt and whatever the method, access is denied', async () => {
  const spellings = [
    (path: string) => path.toUpperCase(),
    (path: string) => path.replace('/api/', '//api/'),
    (path: string) => path.replace('/api/', '/./api/'),
    (path: string) => path.replace('/api/', '/healthz/../api/'),
    (path: string) => path.replace('/api/', '/api/%2e%2e/api/'),
    (path: string) => path.replace('/api/', '/api%2f'),
    (path: string) => path.replace('/api/', '/%61pi/'),
    (path: string) => `${path}/`,
    (path: string) => `${path}%00`,
    (path: string) => `${path};a=b`,
    (path: string) => `${path}.json`,
    (path: string) => `${path}?_method=GET`,
    (path: string) => `${path}%`,
  ]
  const paths = attacked.shop.app.routes
    .filter(({ method, url, access }) => access !== 'public' && method === 'GET' && url.startsWith('/api'))
    .map(({ url }) => url.replaceAll(/:\w+/g, 'x'))
  for (const path of paths)
    for (const spelt of spellings) {
      const answer = await attacked.raw(`GET ${spelt(path)} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
      assert.match(answer, /^HTTP\/1\.1 4\d\d /, spelt(path))
    }
  for (const method of ['TRACE', 'CONNECT', 'PUT', 'PROPFIND', 'LINK', 'QUERY', 'get', 'X'])
    for (const path of ['/healthz', '/api/user/all', '/api/product/active']) {
      const answer = await attacked.raw(`${method} ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
      assert.match(answer, /^(?:HTTP\/1\.1 4\d\d |$)/, `${method} ${path}`)
    }
  await attacked.isWellAfterwards()
})

test('odd names, numbers and bytes in a URL are rejected or not found', async () => {
  const odd = [
    '__proto__',
    'constructor',
    'toString',
    '%00',
    '%ED%A0%80',
    '%FF',
    '..%2f..%2fetc%2fpasswd',
    "'--",
    'a'.repeat(499),
    '%F0%9F%90%9F',
    '-1',
    '1e999',
    '{{7*7}}',
    '%23{7*7}',
  ]
  const places = [
    '/api/product/$',
    '/api/product/byCategory/$',
    '/api/category/byTitle/$',
    '/api/content/$',
    '/api/file/$',
    '/api/box/$',
    '/api/box/$/page',
    '/api/box/$/proof',
    '/api/box/$/label.svg',
    '/api/geocode?latlng=$',
    '/api/box?page=$',
    '/api/box?size=$',
    '/api/file/00000000000000000000000000000000.webp?w=$',
  ]
  for (const place of places)
    for (const name of odd)
      refusal(await attacked.send(place.replace('$', () => name)), `${name} in ${place}`)
  for (const name of odd) {
    const { status } = await attacked.send(`/api/box?q=${name}`)
    assert.ok(status === 200 || status === 400, `${name} looked for: ${status}`)
  }
  for (const path of [
    '/api/file/../../../etc/passwd',
    '/assets/../../package.json',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/..\\..\\etc\\passwd',
  ])
    assert.doesNotMatch(
      await attacked.raw(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`),
      /root:|"workspaces"/,
    )
  assert.equal((await attacked.send(`/api/box?q=${'a'.repeat(3_000)}`)).status, 400)
  await attacked.isWellAfterwards()
})

test('no other site can change anything with a visitor’s cookie, whatever headers and body it sends', async () => {
  const signedIn = await attacked.post('/api/user/signIn', JSON.stringify(ann))
  const cookie = String(signedIn.headers.getSetCookie()[0]).split(';')[0] ?? ''
  const origins: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://shop.example' },
    { origin: 'https://shop.example.evil.example' },
    { origin: 'https://evil-shop.example' },
    { origin: 'https://a.shop.example' },
    { origin: 'https://shop.example:444' },
    { origin: 'https://shop.example@evil.example' },
    { origin: 'https://SHOP.example.' },
    { origin: 'https://shop.example https://evil.example' },
    { referer: 'https://shop.example/' },
    {},
    { origin: PUBLIC_URL, 'sec-fetch-site': 'cross-site' },
    { origin: PUBLIC_URL, 'sec-fetch-site': 'same-site' },
  ]
  const types = [
    'application/json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    '',
  ]
  for (const origin of origins)
    for (const type of types) {
      const headers: Record<string, string> = { ...origin, cookie, ...(type && { 'content-type': type }) }
      const body = Buffer.from('{"fname":"Eve"}')
      const answer = await attacked.send('/api/user', { method: 'PATCH', headers, body })
      assert.equal(refusal(answer, JSON.stringify(headers)), 403)
    }
  const profile = await attacked.send('/api/user', { headers: { cookie } })
  assert.equal(JSON.parse(profile.body).fname, 'Ann')
  const own = { cookie, origin: PUBLIC_URL, 'content-type': 'application/json' }
  assert.equal(
    (await attacked.send('/api/user', { method: 'PATCH', headers: own, body: '{"role":"ADMIN"}' })).status,
    400,
  )
  await attacked.isWellAfterwards()
})
