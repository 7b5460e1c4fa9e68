import assert from 'node:assert/strict'
import { test } from 'node:test'
import { put, run, shop } from './testing/commands.ts'
import { loggedBundle, newestTime, partiesOf, twoOfThree, witnesses } from './testing/logged-shop.ts'
import { honestAnswers, rpcNode, serve } from './testing/rpc-node.ts'

test('without --rpc the node that the proof names is asked, and the text says so', async () => {
  await using node = await rpcNode(honestAnswers(shop()))
  const bundle = shop().bundleOf('A')
  const file = await put('own.proof.json', { ...bundle, ledger: { ...bundle.ledger, rpc: node.url } })
  const { out, status } = await run('cli', file)
  assert.equal(status, 3, 'a node that the proof names can say what it likes')
  assert.match(out, /^Box A: Unchanged, by the ledger that the shop names; we asked nobody else\n/)
  assert.match(out, /The proof itself names this address/)
})

test('a node on the host that the proof names: status 3, and so is a development chain on this machine', async () => {
  await using node = await rpcNode(honestAnswers(shop()))
  const bundle = shop().bundleOf('A')
  const rpc = 'http://127.0.0.1:9/rpc'
  const file = await put('own.proof.json', { ...bundle, ledger: { ...bundle.ledger, rpc } })
  const { out, status } = await run('cli', file, '--rpc', node.url)
  assert.equal(status, 3)
  assert.match(out, /This is the shop’s own, as far as an address tells/)
})

test('two nodes are asked, and one that says another thing leaves the box unchecked', async () => {
  await using node = await rpcNode(honestAnswers(shop()))
  await using again = await rpcNode(honestAnswers(shop()))
  const file = await put('a.proof.json', shop().bundleOf('A'))
  assert.equal((await run('cli', file, '--rpc', node.url, '--rpc', again.url)).status, 0)
  const other = shop()
  other.append('A', 'tracking')
  const honest = honestAnswers(shop())
  await using liar = await rpcNode((method, params) =>
    method === 'eth_getTransactionReceipt' ? null : honest(method, params),
  )
  const { out, status } = await run('cli', file, '--rpc', node.url, '--rpc', liar.url)
  assert.equal(status, 2)
  assert.match(out, /do not agree on the transactions/)
})

test('an older count of the shop’s node is outvoted by the other node that was asked', async () => {
  const grown = shop()
  const old = await put('old.proof.json', grown.bundleOf('A'))
  await using before = await rpcNode(honestAnswers(shop()))
  grown.append('A', 'tracking')
  grown.anchor()
  await using node = await rpcNode(honestAnswers(grown))
  const { out, status } = await run('cli', old, '--rpc', before.url, '--rpc', node.url)
  assert.deepEqual([status, /incomplete/.test(out)], [1, true])
})

test('a proof of format 1 could not be checked: status 2, never broken', async () => {
  const old = { ...shop().bundleOf('A'), v: 1 }
  const file = await put('one.proof.json', old)
  const { out, status } = await run('cli', file)
  assert.equal(status, 2)
  assert.match(out, /^Box A: could not be checked\n {2}Could not be checked: written in format 1, /)
  assert.doesNotMatch(out, /broken|unreachable/)
  const beside = await run('cli', file, await put('a.proof.json', shop().bundleOf('A')))
  assert.equal(beside.status, 2)
  assert.match(beside.err, /written in format 1/)
})

test('a new proof that is no JSON continues nothing', async () => {
  const old = await put('old.proof.json', shop().bundleOf('A'))
  const { out, status } = await run('cli', old, await put('odd.json', '{'))
  assert.equal(status, 1)
  assert.doesNotMatch(out, /continues/)
})

test('a node elsewhere that does not answer is called unreachable, not the shop’s own', async () => {
  const file = await put('a.proof.json', shop().bundleOf('A'))
  const { out, status } = await run('cli', file, '--rpc', 'http://127.0.0.1:9/')
  assert.equal(status, 2)
  assert.match(out, /^Box A: unreachable\n/)
  assert.doesNotMatch(out, /the shop’s own/)
})

test('a node that sends elsewhere is not followed: nobody would know who was asked', async () => {
  await using node = await rpcNode(honestAnswers(shop()))
  await using redirecting = await serve((_request, response) => {
    response.writeHead(307, { location: node.url }).end()
  })
  const file = await put('a.proof.json', shop().bundleOf('A'))
  const { out, status } = await run('cli', file, '--rpc', redirecting.url)
  assert.equal(status, 2)
  assert.match(out, /^Box A: unreachable\n/)
  assert.deepEqual(node.batches, [])
})

test('as many witnesses as the policy asks for: status 0 beside the shop’s own node, and without any node', async () => {
  const anchored = shop()
  await using node = await rpcNode(honestAnswers(anchored))
  const timeS = Math.floor(Date.now() / 1000) - 7_300
  const bundle = await loggedBundle(anchored, 'A', { timeS })
  const proof = (rpc: string) => ({ ...bundle, ledger: { ...bundle.ledger, rpc } })
  const file = await put('logged.proof.json', proof(node.url))
  const policy = await put('policy.txt', twoOfThree)
  const { out, err, status } = await run('cli', file, '--policy', policy)
  assert.deepEqual([status, err], [0, ''])
  assert.match(out, /^Box A: verified, witnessed 2 of 3\n/)
  assert.match(
    out,
    /\nLog: Witnessed by 2 of 3 \(market, 2 hours ago; university, 2 hours ago\), up to record 2, as of 20/,
  )
  const json = JSON.parse((await run('cli', file, '--policy', policy, '--json')).out)
  assert.deepEqual([json.ledger.asked.grade, json.log.state, json.log.k], ['witnessed', 'witnessed', 2])

  const away = await run('cli', await put('away.json', proof('http://127.0.0.1:9/')), '--policy', policy)
  assert.equal(away.status, 0)
  assert.match(away.out, /^Box A: verified, witnessed 2 of 3\n/)
  assert.match(away.out, /The ledger could not be read: the box was checked against what they signed alone/)

  const without = await run('cli', file)
  assert.equal(without.status, 3)
  assert.match(without.out, /\nLog: Witnesses may have signed its log: name a policy of your own/)
  const all = await put(
    'all.txt',
    [...partiesOf(), 'group all all market university certifier', 'quorum all', ''].join('\n'),
  )
  const few = await run('cli', file, '--policy', all)
  assert.equal(few.status, 3)
  assert.match(few.out, /Log: Signed by 2 of 3 \(.*\): fewer than the policy asks for/)
  const old = await put(
    'old.json',
    await loggedBundle(anchored, 'A', { timeS: newestTime(anchored) - 90_000 }),
  )
  const stale = await run('cli', old, '--policy', policy, '--rpc', node.url)
  assert.match(stale.out, /Log: Signed by 2 of 3 .*longer ago than a day/)
})

test('a policy with a key twice, and one that is none: status 2, with its line', async () => {
  const file = await put('logged.proof.json', await loggedBundle(shop(), 'A'))
  const [log = '', first = ''] = partiesOf(witnesses)
  const twice = [log, first, first.replace('witness market', 'witness again'), 'quorum again', ''].join('\n')
  for (const [text, words] of [
    [twice, /policy.txt is no policy: \$\[2\]: has the key of another line/],
    ['quorum nobody\n', /policy.txt is no policy: \$\[0\]/],
    ['x'.repeat(1_048_576), /is over 262144 bytes/],
  ] as const) {
    const { err, status } = await run('cli', file, '--policy', await put('policy.txt', text))
    assert.equal(status, 2)
    assert.match(err, words)
  }
})
