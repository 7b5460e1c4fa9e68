import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig, settingNames } from './config.ts'
import { addressesOf } from './postgres-address.ts'

test('defaults apply without any variable, and empty variables count as unset', () => {
  const empty = ['DATABASE_URL', 'SMTP_URL', 'PORT', 'HOST', 'DATA_DIR', 'SAMPLE_DATA', 'LOG_LEVEL']
  const config = readConfig(Object.fromEntries(empty.map((name) => [name, ' '.repeat(name.length % 2)])))
  assert.equal(config.HOST, '127.0.0.1')
  assert.equal(config.PORT, 3000)
  assert.equal(config.PUBLIC_URL, 'http://localhost:3000')
  assert.equal(config.DATABASE_URL, undefined)
  assert.equal(config.SAMPLE_DATA, true)
  assert.deepEqual(config.TRUSTED_PROXIES, [])
})

for (const [name, value] of [
  ['PORT', 'eighty'],
  ['ANCHOR_INTERVAL_S', '-1'],
  ['DATABASE_URL', 'mysql://x'],
  ['CHAIN_PRIVATE_KEY', '0x12'],
  ['MAP_TILES_URL', 'https://tiles.example/'],
  ['MQTT_PORT', '70000'],
  ['MQTT_PORT', 'off'],
  ['MQTT_URL', 'http://broker.example'],
  ['MQTT_URL', 'broker.example'],
  ['MQTT_URL', 'mqtt://shop:50%@broker.example'],
  ['SAMPLE_DATA', 'yes'],
  ['WITNESSES', 'quorum nobody'],
  ['WITNESSES', 'witness a else.example/w+00000000+BA== https://else.example'],
  ['TIMESTAMP_URL', 'ftp://time.example'],
  ['TIMESTAMP_CA', 'no certificate'],
  ['TIMESTAMP_CA', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
  ['OPENTIMESTAMPS_URLS', 'alice.calendar.example'],
  [
    'OPENTIMESTAMPS_URLS',
    'https://1.example https://2.example,https://3.example https://4.example https://5.example https://6.example',
  ],
  ['SAMPLE_JOURNEYS', '21'],
  ['SELLER_ABN', '51824753557'],
  ['SELLER_ABN', '51824753556'],
  ['STRIPE_SECRET_KEY', 'pk_live_0123456789'],
  ['STRIPE_SECRET_KEY', 'sk_live_0123456789'],
  ['STRIPE_WEBHOOK_SECRET', 'secret0123456789'],
  ['STRIPE_API_URL', 'https://stripe.example/v1'],
  ['TRUSTED_PROXIES', 'my-proxy'],
  ['TRUSTED_PROXIES', '10.0.0.0/8, 10.0.0'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ['TRUSTED_PROXIES', '0.0.0.0/0'],
  ['TRUSTED_PROXIES', '::/0'],
  ['TRUSTED_PROXIES', '10.0.0.0/8/9'],
  ['TRUSTED_PROXIES', '*'],
] as const)
  test(`an invalid ${name} (${value}) stops the start with a message that names it without its value`, () => {
    const named = new RegExp(`Wrong setting\\. .*${name}`)
    assert.throws(
      () => readConfig({ [name]: value }),
      ({ message }: Error) => named.test(message) && !message.includes(value),
    )
  })

test('journeys of the sample shop are off, and refused without sample data', () => {
  assert.equal(readConfig({}).SAMPLE_JOURNEYS, 0)
  assert.equal(readConfig({ SAMPLE_JOURNEYS: '4' }).SAMPLE_JOURNEYS, 4)
  assert.throws(
    () => readConfig({ SAMPLE_JOURNEYS: '4', SAMPLE_DATA: 'off' }),
    /Wrong setting\. SAMPLE_JOURNEYS/,
  )
})

test('a chain URL without a private key is rejected', () => {
  assert.throws(() => readConfig({ CHAIN_RPC_URL: 'http://localhost:8545' }), /go together/)
})

test('a chain has one address or up to five, each once', () => {
  const CHAIN_PRIVATE_KEY = `0x${'1'.repeat(64)}`
  const urls = (CHAIN_RPC_URL: string) => readConfig({ CHAIN_RPC_URL, CHAIN_PRIVATE_KEY }).CHAIN_RPC_URL
  assert.deepEqual(urls('https://a.example/v3/key'), ['https://a.example/v3/key'])
  assert.deepEqual(urls('https://a.example, https://b.example'), ['https://a.example', 'https://b.example'])
  assert.throws(() => urls('https://a.example,ws://b.example'), /CHAIN_RPC_URL\.1: must be an http/)
  assert.throws(() => urls('https://a.example,https://a.example/'), /CHAIN_RPC_URL: must name each/)
  assert.throws(
    () => urls('123456'.replaceAll(/./g, 'http://$&.example,')),
    /CHAIN_RPC_URL: must be at most 5/,
  )
})

test('a port chosen by the system requires PUBLIC_URL', () => {
  assert.throws(() => readConfig({ PORT: '0' }), /^Error: Wrong setting\. PORT: 0 .* set PUBLIC_URL too/)
  const config = readConfig({ PORT: '0', PUBLIC_URL: 'https://shop.example/' })
  assert.deepEqual([config.PORT, config.PUBLIC_URL], [0, 'https://shop.example'])
})

test('an address of several hosts is one for each, without what only tells how to choose; a comma of a password is none', () => {
  const rest = '/shop?sslmode=require'
  assert.deepEqual(
    addressesOf(`postgres://shop:a,b@10.0.0.1:5432,[::1]:5433,db${rest}&target_session_attrs=read-write`),
    ['10.0.0.1:5432', '[::1]:5433', 'db'].map((host) => `postgres://shop:a,b@${host}${rest}`),
  )
  const one = 'postgres://shop:a,b@db/shop'
  assert.equal(readConfig({ DATABASE_URL: one }).DATABASE_URL, one)
  for (const [url, wrong] of [
    ['postgres://a,,b/shop', /DATABASE_URL: has no name for host 2 of 3/],
    [
      'postgres://a,b:54x2/shop',
      /DATABASE_URL: can't be read: host 2 of 2 must be a name or an address, and a port/,
    ],
    [
      'postgres://a,b/shop?target_session_attrs=standby',
      /DATABASE_URL: asks for standby sessions; the shop writes/,
    ],
  ] as const)
    assert.throws(() => readConfig({ DATABASE_URL: url }), wrong)
  assert.throws(
    () => readConfig({ DATABASE_DIRECT_URL: one }),
    /DATABASE_DIRECT_URL goes with DATABASE_URL, which is then a pooler/,
  )
  assert.throws(() => readConfig({ DATABASE_READ_URL: one }), /DATABASE_READ_URL goes with DATABASE_URL/)
  assert.throws(
    () => readConfig({ DATABASE_URL: one, DATABASE_READ_URL: 'postgres://a,b/shop' }),
    /DATABASE_READ_URL: must name one host/,
  )
  assert.throws(
    () => readConfig({ DATABASE_URL: one, DATABASE_READ_URL: 'postgres://a,,b/shop' }),
    /DATABASE_READ_URL: has no name for host 2 of 3/,
  )
})

test('NAME_FILE names a file with the value of a setting; not beside the setting, and not one that is missing', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-settings-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text)
    return join(folder, name)
  }
  const url = 'postgres://shop:a@db/shop'
  const read = await file('database', `${url}\n`)
  assert.equal(readConfig({ DATABASE_URL_FILE: read }).DATABASE_URL, url)
  assert.equal(readConfig({ DATABASE_URL_FILE: read, DATABASE_URL: ' ' }).DATABASE_URL, url)
  assert.equal(readConfig({ SMTP_URL_FILE: await file('empty', '\n') }).SMTP_URL, undefined)
  const wrong = {
    'both set': { DATABASE_URL_FILE: read, DATABASE_URL: url },
    "SMTP_URL_FILE: the file can't be read": { SMTP_URL_FILE: join(folder, 'none') },
    'SMTP_URL: must be an smtp': { SMTP_URL_FILE: read },
    'SMTP_URL_FILE: .* is too large': { SMTP_URL_FILE: await file('large', 'x'.repeat(70_000)) },
  }
  for (const [said, env] of Object.entries(wrong))
    assert.throws(() => readConfig(env), new RegExp(`^Error: Wrong setting\\. .*${said}`))
})

test('the README and deploy/.env.example name each setting once, and no other', async () => {
  const text = (path: string): Promise<string> =>
    readFile(new URL(`../../../${path}`, import.meta.url), 'utf8')
  const [, table = ''] = (await text('README.md')).split('## Settings')
  const described = [...table.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(
    ([, names = '']) => names.match(/[A-Z0-9_]+/g) ?? [],
  )
  assert.deepEqual(described.sort(), settingNames.toSorted())
  const lines = [...(await text('deploy/.env.example')).matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)]
  const OF_AWS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']
  assert.deepEqual(lines.map(([, name]) => name).sort(), [...settingNames, ...OF_AWS].sort())
})
