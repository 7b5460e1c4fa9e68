import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import {
  type AttackedShop,
  ann,
  attackedShop,
  filled,
  KIB,
  PUBLIC_URL,
  refusal,
} from '#server/testing/attacked-shop.ts'

let attacked: AttackedShop
before(async () => {
  attacked = await attackedShop()
})
after(() => attacked[Symbol.asyncDispose]())

test('JSON that is deeply nested, ambiguous or invalid is rejected wherever JSON is accepted', async () => {
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
      assert.equal(refusal(await attacked.post(path, body), `${what} at ${path}`), 400)
    const { status } = await attacked.post('/api/chain/rpc', body)
    assert.ok(status === 200 || status === 400, `${what} at the door: ${status}`)
  }
  const door = await attacked.post('/api/chain/rpc', filled('\\"', 127 * KIB))
  assert.equal(door.status, 400)
  await attacked.isWellAfterwards()
})

test('bodies that are too large or of another type, encoding or length are rejected', async () => {
  const large = `"${'a'.repeat(200 * KIB)}"`
  for (const path of ['/api/user/signIn', '/api/user/signUp', '/api/chain/rpc'])
    assert.equal(refusal(await attacked.post(path, large), path), 413)
  for (const type of [
    'text/html',
    'text/xml',
    'application/x-www-form-urlencoded',
    'application/cbor',
    '*/*',
  ])
    assert.equal(refusal(await attacked.post('/api/user/signIn', '{}', type), type), 415)
  const zipped = new Uint8Array(gzipSync(Buffer.alloc(10 * KIB * KIB, ' ')))
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  refusal(
    await attacked.send('/api/user/signIn', { method: 'POST', headers, body: zipped }),
    'a compressed body',
  )
  refusal(await attacked.post('/api/user/signIn', new Uint8Array([0x22, 0xff, 0xfe, 0x22])), 'no UTF-8')
  const form = ['--x', 'content-disposition: form-data; name="email"', '', 'a@example.com', '--x--', ''].join(
    '\r\n',
  )
  refusal(await attacked.post('/api/user/signIn', form, 'multipart/form-data; boundary=x'), 'a form')
  await attacked.isWellAfterwards()
})

test('no header makes a response slow or different', async () => {
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
        const { status } = await attacked.send(path, { headers: { [name]: `x${filled(unit, size)}y` } })
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
    assert.equal((await attacked.send('/api/viewer', { headers })).body, 'null')
  const many = Array.from({ length: 3_000 }, (_, i) => `x${i}: 1\r\n`).join('')
  assert.match(await attacked.raw(`GET /healthz HTTP/1.1\r\nhost: x\r\n${many}\r\n`), /^HTTP\/1\.1 4\d\d /)
  const wide = `GET /healthz HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(40 * KIB)}\r\n\r\n`
  assert.match(await attacked.raw(wide), /^(?:HTTP\/1\.1 431 |$)/)
  await attacked.isWellAfterwards()
})

test('a request that two parsers could split differently is rejected, and nothing smuggled in it is answered', async () => {
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
    const came = await attacked.raw(form)
    assert.doesNotMatch(came, /User-agent: \*/, JSON.stringify(form.slice(0, 150)))
    assert.match(came, /^(?:HTTP\/1\.1 4\d\d |$)/, JSON.stringify(form.slice(0, 150)))
  }
  await attacked.isWellAfterwards()
})

test('the Host header of a request appears in no response', async () => {
  for (const path of ['/robots.txt', '/sitemap.xml', '/api/site', '/api/openapi.json', '/api/nothing'])
    for (const host of [
      'evil.example',
      'evil.example:80',
      'shop.example@evil.example',
      '127.0.0.1, evil.example',
    ]) {
      const answer = await attacked.raw(
        `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nx-forwarded-host: evil.example\r\nconnection: close\r\n\r\n`,
      )
      assert.doesNotMatch(answer, /evil\.example/, `${path} for ${host}`)
    }
  assert.match(await attacked.raw('GET /healthz HTTP/1.1\r\n\r\n'), /^HTTP\/1\.1 400 /)
})

test('names of people accept no lone surrogate, NUL or reordering character', async () => {
  const form = {
    ...ann,
    email: 'new@example.com',
    password: 'herring-and-ice',
    confirmPassword: 'herring-and-ice',
    lname: 'Lee',
    phone: '0412345678',
    actLink: `${PUBLIC_URL}/user/activate`,
  }
  for (const fname of ['\\ud800', '\\udc00\\ud800', 'A\\u0000', 'A\\u202eB', '\\n', 'a'.repeat(5_000)]) {
    const body = JSON.stringify({ ...form, fname: '$' }).replace('$', fname)
    assert.equal(refusal(await attacked.post('/api/user/signUp', body), fname), 400)
  }
  assert.equal(
    (await attacked.post('/api/user/signUp', JSON.stringify({ ...form, fname: '🐟' }))).status,
    201,
  )
})
