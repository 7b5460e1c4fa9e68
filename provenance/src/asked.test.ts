import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askedOf, hostOf, isLoopback, isSameHost, withWitnesses } from './asked.ts'
import type { LedgerReader } from './ledger.ts'

/** A ledger of this chain; null: one that does not answer. */
const chain = (chainId: number | null): LedgerReader => ({
  live: true,
  identity: async () => {
    if (chainId === null) throw new Error('no answer')
    return { chainId, contract: '0x' }
  },
  count: async () => 0,
  anchorsOf: async () => [],
  eventsOf: async () => [],
})

const PAGE = 'https://www.fish.example/SFMBox/byId/1'

test('hosts are compared as the protocol says, in doubt as the same', () => {
  const same: [string, string][] = [
    ['fish.example', 'fish.example'],
    ['rpc.fish.example', 'www.fish.example'],
    ['fish.example', 'a.b.fish.example'],
    ['a.fish.com.au', 'b.fish.com.au'],
    ['fish.co.uk', 'rpc.fish.co.uk'],
    ['localhost', 'localhost'],
  ]
  for (const [a, b] of same) assert.ok(isSameHost(a, b), `${a} ${b}`)
  const other: [string, string][] = [
    ['fish.example', 'fisch.example'],
    ['fish.com.au', 'meat.com.au'],
    ['fish.co.uk', 'meat.co.uk'],
    ['10.1.0.1', '10.2.0.1'],
    ['localhost', 'fish.example'],
  ]
  for (const [a, b] of other) assert.ok(!isSameHost(a, b), `${a} ${b}`)
})

test('the host of an address is what a browser would ask', () => {
  assert.equal(hostOf('https://RPC.Fish.example.:8545/x?y'), 'rpc.fish.example')
  assert.equal(hostOf('rpc.fish.example'), 'rpc.fish.example')
  assert.equal(hostOf('rpc.fish.example:8545'), 'rpc.fish.example')
  assert.equal(hostOf('http://[::1]:3000/'), '::1')
  assert.equal(hostOf('http://2130706433/'), '127.0.0.1')
  assert.equal(hostOf('https://user@other.example/'), 'other.example')
  assert.equal(hostOf('not an address'), '')
  for (const host of [
    'localhost',
    'a.localhost',
    '127.1.2.3',
    '::1',
    '0.0.0.0',
    hostOf('http://[::ffff:127.0.0.1]/'),
  ])
    assert.ok(isLoopback(host), host)
  assert.ok(!isLoopback('fish.example'))
})

const grades: [what: string, read: string[], chosen: boolean, chainId: number | null, grade: string][] = [
  ['the node that the bundle names', ['https://rpc.example.org/'], false, 8453, 'own'],
  ['a node that was typed', ['https://node.other.example/'], true, 8453, 'other'],
  ['the same on a development chain elsewhere', ['https://node.other.example/'], true, 31337, 'other'],
  ['one beside the shop', ['https://chain.fish.example/'], true, 8453, 'own'],
  ['the one that the shop names, typed', ['https://rpc.example.org/v1'], true, 8453, 'own'],
  ['one of this machine', ['http://127.0.0.1:8545/'], true, 8453, 'other'],
  ['a development chain on this machine', ['http://127.0.0.1:8545/'], true, 31337, 'own'],
  [
    'two, one of them the shop’s',
    ['https://chain.fish.example/', 'https://node.other.example/'],
    true,
    1,
    'other',
  ],
  ['two of the shop’s', ['https://chain.fish.example/', 'https://rpc.example.org/'], true, 1, 'own'],
  ['one that did not answer', ['https://node.other.example/'], true, null, 'own'],
  ['a file of nobody knows whom', [], true, 8453, 'own'],
]

for (const [what, read, isChosen, chainId, grade] of grades)
  test(`who was asked: ${what} is ${grade}`, async () => {
    const shop = [PAGE, 'https://rpc.example.org/rpc']
    assert.equal((await askedOf(chain(chainId), { read, isChosen, shop })).grade, grade)
  })

test('a page of this machine has nobody else on this machine', async () => {
  const shop = ['http://localhost:3000/', 'http://localhost:3000/api/chain/rpc']
  const question = { read: ['http://127.0.0.1:9999/'], isChosen: true, shop }
  const { grade, hosts, chainId } = await askedOf(chain(8453), question)
  assert.deepEqual([grade, hosts, chainId], ['own', ['127.0.0.1'], 8453])
})

test('who was asked: witnesses raise what the shop’s own node says, and nothing else does', () => {
  const log = { origin: 'x', k: 2, n: 3, by: [], upTo: 1, time: null }
  const own = { grade: 'own', hosts: [], chainId: null } as const
  assert.equal(withWitnesses(own, { ...log, state: 'witnessed' }).grade, 'witnessed')
  for (const state of ['missed', 'stale', 'behind', 'other_log', 'no_policy', 'no_log', 'broken'] as const)
    assert.equal(withWitnesses(own, { ...log, state }).grade, 'own', state)
  assert.equal(withWitnesses(own, undefined).grade, 'own')
  assert.equal(withWitnesses({ ...own, grade: 'other' }, { ...log, state: 'witnessed' }).grade, 'other')
})
