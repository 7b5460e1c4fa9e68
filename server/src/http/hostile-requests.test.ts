import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { accessTable } from '#server/auth/access-table.ts'
import { cheapPasswords, makeUser } from '#server/auth/testing.ts'
import { type TestShop, testShop } from '#server/testing.ts'

/** What an attack may be answered: a refusal by name, or an answer like anybody's. Never a failure of ours. */
type Answer = { status: number; body: string; headers: Headers }

let shop: TestShop
let port: number
const PUBLIC_URL = 'https://shop.example'
const ann = { email: 'ann@example.com', password: 'secret' }

before(async () => {
  shop = await testShop({ env: { PUBLIC_URL }, deps: { passwords: cheapPasswords } })
  await makeUser(shop, ann)
  port = Number(new URL(await shop.app.listen({ port: 0, host: '127.0.0.1' })).port)
})
after(() => shop[Symbol.asyncDispose]())

/** Long for a shop that answers at once, short for one that is kept busy or waits for what never comes. */
const PATIENCE_MS = 20_000

async function send(path: string, init: RequestInit = {}): Promise<Answer> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal, redirect: 'manual', ...init })
  return { status: response.status, body: await response.text(), headers: response.headers }
}

const post = (path: string, body: string | Uint8Array<ArrayBuffer>, type = 'application/json') =>
  send(path, { method: 'POST', headers: { 'content-type': type }, body })

/** Bytes as they are, through a connection that is closed afterwards; answers everything that came back. */
async function raw(bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setTimeout(PATIENCE_MS, () => socket.destroy())
  let came = ''
  socket.on('data', (part) => {
    came += part
  })
  socket.on('error', () => undefined) // a connection that is broken off is an answer, too
  socket.write(bytes, 'latin1')
  await once(socket, 'close')
  return came
}

/** The next visitor notices nothing. */
async function isWellAfterwards(): Promise<void> {
  assert.equal((await send('/healthz')).status, 200)
  assert.equal((await send('/api/product/active')).status, 200)
}

/** The status of a refusal, whose words are in its body. */
function refusal({ status, body }: Answer, what: string): number {
  assert.ok(status >= 400 && status < 500, `${what}: ${status} ${body.slice(0, 200)}`)
  assert.match(body, /"(?:code|error)":/, what)
  return status
}

const KIB = 1024
const filled = (unit: string, bytes: number): string => unit.repeat(Math.floor(bytes / unit.length))

test('JSON that is a bomb, ambiguous or none is refused, wherever JSON is taken', async () => {
  const size = 15 * KIB
  const bombs = {
    'quotes that never end': filled('\\"', size),
    'one string of escapes': `"${filled('\\"', size)}"`,
    brackets: filled('[', size),
    'braces that end': `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`,
    'a list of lists': `[${filled('[],', size)}[]]`,
    'a field twice': '{"email":"a@example.com","email":"b@example.com"}',
    'a field twice, escaped': '{"email":"a@example.com","\\u0065mail":"b@example.com"}',
    __proto__: '{"__proto__":{"role":"ADMIN"},"email":"a@example.com","password":"secret"}',
    'a prototype further in': '{"email":{"constructor":{"prototype":{"a":1}}}}',
    'a number without end': `{"email":1e${filled('9', size)}}`,
    infinity: '{"email":1e999}',
    'not a number': '{"email":NaN}',
    'a comment': '{/**/}',
    'two values': '{}{}',
    nothing: '',
    null: 'null',
    'a lone surrogate': '{"email":"\\ud800@example.com","password":"secret"}',
    NUL: '{"email":"a\\u0000@example.com","password":"secret"}',
    'many fields': `{${Array.from({ length: 1_500 }, (_, i) => `"f${i}":1`).join()}}`,
  }
  for (const [what, body] of Object.entries(bombs)) {
    for (const path of ['/api/user/signIn', '/api/user/signUp', '/api/user/firstAdmin'])
      assert.equal(refusal(await post(path, body), `${what} at ${path}`), 400)
    const { status } = await post('/api/chain/rpc', body)
    assert.ok(status === 200 || status === 400, `${what} at the door: ${status}`)
  }
  const door = await post('/api/chain/rpc', filled('\\"', 127 * KIB))
  assert.equal(door.status, 400)
  await isWellAfterwards()
})

test('bodies that are too large, of another kind, coding or length are refused', async () => {
  const large = `"${'a'.repeat(200 * KIB)}"`
  for (const path of ['/api/user/signIn', '/api/user/signUp', '/api/chain/rpc'])
    assert.equal(refusal(await post(path, large), path), 413)
  for (const type of [
    'text/html',
    'text/xml',
    'application/x-www-form-urlencoded',
    'application/cbor',
    '*/*',
  ])
    assert.equal(refusal(await post('/api/user/signIn', '{}', type), type), 415)
  const zipped = new Uint8Array(gzipSync(Buffer.alloc(10 * KIB * KIB, ' ')))
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  refusal(await send('/api/user/signIn', { method: 'POST', headers, body: zipped }), 'a compressed body')
  refusal(await post('/api/user/signIn', new Uint8Array([0x22, 0xff, 0xfe, 0x22])), 'no UTF-8')
  const form = ['--x', 'content-disposition: form-data; name="email"', '', 'a@example.com', '--x--', ''].join(
    '\r\n',
  )
  refusal(await post('/api/user/signIn', form, 'multipart/form-data; boundary=x'), 'a form')
  await isWellAfterwards()
})

test('no header makes an answer slow or different', async () => {
  const size = 12 * KIB
  for (const name of [
    'accept-encoding',
    'accept',
    'cookie',
    'authorization',
    'user-agent',
    'if-none-match',
    'range',
  ])
    for (const unit of [' ', 'a', ',', ';', '"', 'q=1;', 'a=b; ', '\t', 'bytes=0-,'])
      for (const path of ['/api/product/active', '/api/viewer']) {
        const { status } = await send(path, { headers: { [name]: `x${filled(unit, size)}y` } })
        assert.equal(status, 200, `${name} of ${JSON.stringify(unit)} at ${path}`)
      }
  for (const headers of [
    { 'x-forwarded-for': filled('1.2.3.4, ', size) },
    {
      'x-forwarded-for': filled(' ', size),
      'x-forwarded-proto': 'javascript',
      'x-forwarded-host': 'evil.example',
    },
    {
      'x-http-method-override': 'DELETE',
      'x-original-url': '/api/user/all',
      'x-rewrite-url': '/api/user/all',
    },
  ])
    assert.equal((await send('/api/viewer', { headers })).body, 'null')
  const many = Array.from({ length: 3_000 }, (_, i) => `x${i}: 1\r\n`).join('')
  assert.match(await raw(`GET /healthz HTTP/1.1\r\nhost: x\r\n${many}\r\n`), /^HTTP\/1\.1 4\d\d /)
  const wide = `GET /healthz HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(40 * KIB)}\r\n\r\n`
  assert.match(await raw(wide), /^(?:HTTP\/1\.1 431 |$)/)
  await isWellAfterwards()
})

test('a request that two readers could cut in two places is refused, and nothing hidden in it is answered', async () => {
  const hidden = 'GET /robots.txt HTTP/1.1\r\nhost: x\r\n\r\n'
  const head = 'POST /api/user/signIn HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
  const forms = [
    `${head}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    `${head}content-length: 0\r\ncontent-length: ${hidden.length}\r\n\r\n${hidden}`,
    `${head}content-length: 0, ${hidden.length}\r\n\r\n${hidden}`,
    `${head}content-length: +2\r\n\r\n{}${hidden}`,
    `${head}content-length: -1\r\n\r\n${hidden}`,
    `${head}content-length: 0x2\r\n\r\n{}${hidden}`,
    `${head}content-length : 2\r\n\r\n{}${hidden}`,
    `${head}content-length: 99999999999999999999\r\n\r\n${hidden}`,
    `${head}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`,
    `${head}transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n${hidden}`,
    `${head}transfer-encoding : chunked\r\n\r\n0\r\n\r\n${hidden}`,
    `${head}transfer-encoding: chunked\r\ntransfer-encoding: cow\r\n\r\n0\r\n\r\n${hidden}`,
    `${head}transfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\n${hidden}`,
    `${head}transfer-encoding: chunked\r\n\r\n-1\r\n${hidden}`,
    `${head}x: a\r\n content-length: 0\r\n\r\n${hidden}`,
    `${head}x: a\rcontent-length: 0\r\n\r\n${hidden}`,
    `${head}x: a\0b\r\n\r\n${hidden}`,
    `GET /healthz HTTP/9.9\r\nhost: x\r\n\r\n${hidden}`,
    `GET /healthz\r\n\r\n${hidden}`,
    `\0\0\0${hidden}`,
    `GET /health z HTTP/1.1\r\nhost: x\r\n\r\n${hidden}`,
  ]
  for (const form of forms) {
    const came = await raw(form)
    assert.doesNotMatch(came, /User-agent: \*/, JSON.stringify(form.slice(0, 150)))
    assert.match(came, /^(?:HTTP\/1\.1 4\d\d |$)/, JSON.stringify(form.slice(0, 150)))
  }
  await isWellAfterwards()
})

test('however a protected address is spelt and whatever the method, nobody gets in', async () => {
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
  const paths = Object.entries(accessTable)
    .filter(([key, rule]) => rule !== 'public' && key.startsWith('GET /api'))
    .map(([key]) => key.slice('GET '.length).replaceAll(/:\w+/g, 'x'))
  for (const path of paths)
    for (const spelt of spellings) {
      const answer = await raw(`GET ${spelt(path)} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
      assert.match(answer, /^HTTP\/1\.1 4\d\d /, spelt(path))
    }
  for (const method of ['TRACE', 'CONNECT', 'PUT', 'PROPFIND', 'LINK', 'QUERY', 'get', 'X'])
    for (const path of ['/healthz', '/api/user/all', '/api/product/active']) {
      const answer = await raw(`${method} ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
      assert.match(answer, /^(?:HTTP\/1\.1 4\d\d |$)/, `${method} ${path}`)
    }
  await isWellAfterwards()
})

test('odd names, numbers and bytes in an address are not found or refused', async () => {
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
    for (const name of odd) refusal(await send(place.replace('$', () => name)), `${name} in ${place}`)
  for (const name of odd) {
    const { status } = await send(`/api/box?q=${name}`)
    assert.ok(status === 200 || status === 400, `${name} looked for: ${status}`)
  }
  for (const path of [
    '/api/file/../../../etc/passwd',
    '/assets/../../package.json',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/..\\..\\etc\\passwd',
  ])
    assert.doesNotMatch(
      await raw(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`),
      /root:|"workspaces"/,
    )
  assert.equal((await send(`/api/box?q=${'a'.repeat(3_000)}`)).status, 400)
  await isWellAfterwards()
})

test('no other site changes anything with a visitor’s cookie, whatever it says and sends', async () => {
  const signedIn = await post('/api/user/signIn', JSON.stringify(ann))
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
      const answer = await send('/api/user', { method: 'PATCH', headers, body })
      assert.equal(refusal(answer, JSON.stringify(headers)), 403)
    }
  const profile = await send('/api/user', { headers: { cookie } })
  assert.equal(JSON.parse(profile.body).fname, 'Ann')
  const own = { cookie, origin: PUBLIC_URL, 'content-type': 'application/json' }
  assert.equal(
    (await send('/api/user', { method: 'PATCH', headers: own, body: '{"role":"ADMIN"}' })).status,
    400,
  )
  await isWellAfterwards()
})

test('the host that a request names is in no answer', async () => {
  for (const path of ['/robots.txt', '/sitemap.xml', '/api/site', '/api/openapi.json', '/api/nothing'])
    for (const host of [
      'evil.example',
      'evil.example:80',
      'shop.example@evil.example',
      '127.0.0.1, evil.example',
    ]) {
      const answer = await raw(
        `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nx-forwarded-host: evil.example\r\nconnection: close\r\n\r\n`,
      )
      assert.doesNotMatch(answer, /evil\.example/, `${path} for ${host}`)
    }
  assert.match(await raw('GET /healthz HTTP/1.1\r\n\r\n'), /^HTTP\/1\.1 400 /)
})

test('what is said of a person is text: no lone surrogate, NUL or reordering gets into a name', async () => {
  const form = {
    ...ann,
    email: 'new@example.com',
    confirmPassword: ann.password,
    lname: 'Lee',
    phone: '0412345678',
    actLink: `${PUBLIC_URL}/user/activate`,
  }
  for (const fname of ['\\ud800', '\\udc00\\ud800', 'A\\u0000', 'A\\u202eB', '\\n', 'a'.repeat(5_000)]) {
    const body = JSON.stringify({ ...form, fname: '$' }).replace('$', fname)
    assert.equal(refusal(await post('/api/user/signUp', body), fname), 400)
  }
  assert.equal((await post('/api/user/signUp', JSON.stringify({ ...form, fname: '🐟' }))).status, 201)
})
