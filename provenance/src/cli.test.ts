import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { anchorFileText } from './file-ledger.ts'
import { folder, put, run, shop } from './testing/commands.ts'
import { honestAnswers, rpcNode } from './testing/rpc-node.ts'
import { chainId, contract, Shop } from './testing/shop.ts'
import { lackingOne } from './testing/signed-histories.ts'
import { sale, shopOf, weight } from './testing/weighed-histories.ts'

test('a verified box: status 0, read from the node that --rpc names', async () => {
  await using node = await rpcNode(honestAnswers(shop()))
  const file = await put('a.proof.json', shop().bundleOf('A'))
  const { out, err, status } = await run('cli', file, '--rpc', node.url)
  assert.deepEqual([status, err], [0, ''])
  assert.match(out, /^Box A: verified\n/)
  assert.match(out, /The proof names this contract/)
  assert.doesNotMatch(out, /record \d+:/)
})

test('a file that is compressed is read as what it holds; a cut or damaged one could not be checked: status 2', async () => {
  const anchors = await put('anchors.json', anchorFileText(shop().file()))
  const packed = gzipSync(JSON.stringify(shop().bundleOf('A')))
  const file = join(folder, 'a.proof.json.gz')
  const check = async (bytes: Uint8Array) => {
    await writeFile(file, bytes)
    return run('cli', file, '--anchors', anchors, '--anchors-from', 'node.other.example')
  }
  const { out, err, status } = await check(packed)
  assert.deepEqual([status, err], [0, ''])
  assert.match(out, /^Box A: verified\n/)
  const damaged = Buffer.from(packed).fill(0, 30, 40)
  for (const bytes of [packed.subarray(0, -20), damaged]) {
    const refused = await check(bytes)
    assert.equal(refused.status, 2)
    assert.match(refused.err, /can't be unpacked: it is cut off, damaged or too large/)
  }
})

test('a node that is asked too often is waited for', async () => {
  await using node = await rpcNode(honestAnswers(shop()), ['1', '2'])
  const file = await put('a.proof.json', shop().bundleOf('A'))
  const { out, err, status } = await run('cli', file, '--rpc', node.url)
  assert.deepEqual([status, err], [0, ''])
  assert.match(out, /^Box A: verified\n/)
})

test('a node that asks for an hour could not be asked: status 2', async () => {
  await using node = await rpcNode(honestAnswers(shop()), Array(9).fill('3600'))
  const file = await put('a.proof.json', shop().bundleOf('A'))
  const { out, status } = await run('cli', file, '--rpc', node.url)
  assert.equal(status, 2)
  assert.match(out, /^Box A: unreachable\n/)
})

test('a changed record: status 1, and the records that are not anchored are listed', async () => {
  const bundle = shop().bundleOf('A')
  const [, second] = bundle.records
  const file = await put('broken.proof.json', {
    ...bundle,
    records: bundle.records.with(1, { ...second, by: 'x' } as never),
  })
  const anchors = await put('anchors.json', anchorFileText(shop().file()))
  const { out, status } = await run('cli', file, '--anchors', anchors)
  assert.equal(status, 1)
  assert.match(out, /^Box A: broken\n/)
  assert.match(out, / {2}record 2: broken\. Record 2 was changed/)
  assert.doesNotMatch(out, /record 1:/)
})

test('verified up to a record: status 1, the pending one listed', async () => {
  const grown = shop()
  grown.append('A', 'tracking')
  const file = await put('pending.proof.json', grown.bundleOf('A'))
  const anchors = await put('anchors.json', anchorFileText(grown.file()))
  const { out, status } = await run('cli', file, '--anchors', anchors)
  assert.equal(status, 1)
  assert.match(out, /^Box A: verified up to record 2\n/)
  assert.match(out, /record 3: pending/)
})

test('--json prints the whole result', async () => {
  const file = await put('a.proof.json', shop().bundleOf('A'))
  const anchors = await put('anchors.json', anchorFileText(shop().file()))
  const args = ['--anchors', anchors, '--anchors-from', 'node.example', '--contract', contract, '--json']
  const { out, status } = await run('cli', file, ...args)
  const result = JSON.parse(out)
  assert.deepEqual([status, result.verdict, result.upTo, result.records.length], [0, 'verified', 2, 2])
  assert.equal(result.ledger.namedByProof.contract, false)
  assert.deepEqual(result.ledger.asked, { grade: 'other', hosts: ['node.example'], chainId })
})

test('a proof that continues an older one is verified, and the text says so', async () => {
  const older = shop()
  const old = await put('old.proof.json', older.bundleOf('A'))
  older.append('A', 'tracking')
  older.anchor()
  const file = await put('new.proof.json', older.bundleOf('A'))
  const anchors = await put('anchors.json', anchorFileText(older.file()))
  const { out, status } = await run('cli', old, file, '--anchors', anchors, '--anchors-from', 'node.example')
  assert.equal(status, 0)
  assert.match(out, /^Box A: verified\n/)
  assert.match(out, /It continues .*old\.proof\.json\./)
})

test('statements that are missing are named, and take the top grade: status 3', async () => {
  const { shop: lacking, bundle } = lackingOne()
  const file = await put('lacking.proof.json', bundle)
  const anchors = await put('anchors.json', anchorFileText(lacking.file()))
  const { out, status } = await run('cli', file, '--anchors', anchors, '--anchors-from', 'node.example')
  assert.equal(status, 3)
  assert.match(out, /^Box A: verified\n/)
  assert.match(out, /^ {2}1 statement of this sensor is missing between 8:10 and 8:30 am on 18 Nov\.$/m)
})

test('a proof of another history than an older one tells: status 1, forked', async () => {
  const old = await put('old.proof.json', shop().bundleOf('A'))
  const other = new Shop()
  for (const note of ['first', 'another second']) {
    other.append('A', 'catch', { note })
    other.anchor()
  }
  const file = await put('new.proof.json', other.bundleOf('A'))
  const anchors = await put('anchors.json', anchorFileText(other.file()))
  assert.equal((await run('cli', file, '--anchors', anchors)).status, 3, 'alone it is valid')
  const { out, status } = await run('cli', old, file, '--anchors', anchors, '--json')
  const { verdict, reasons } = JSON.parse(out)
  assert.deepEqual([status, verdict, reasons[0].code], [1, 'broken', 'forked'])
})

test('two proofs that can not be compared: status 2', async () => {
  const [a, b] = [
    await put('a.proof.json', shop().bundleOf('A')),
    await put('b.proof.json', shop().bundleOf('B')),
  ]
  const anchors = await put('anchors.json', anchorFileText(shop().file()))
  const two = await run('cli', a, b, '--anchors', anchors)
  assert.deepEqual([two.status, two.err], [2, 'The two proofs are of two boxes, A and B.\n'])
  const odd = await run('cli', await put('odd.json', '{}'), a, '--anchors', anchors)
  assert.equal(odd.status, 2)
  assert.match(odd.err, /odd\.json is no proof/)
})

test('a proof of absence: status 1, absent', async () => {
  const file = await put('none.proof.json', shop().absenceOf('Z'))
  const anchors = await put('anchors.json', anchorFileText(shop().file()))
  const { out, status } = await run('cli', file, '--anchors', anchors)
  assert.equal(status, 1)
  assert.match(out, /^Box Z: absent\n/)
})

test('another contract than the one to trust: status 1', async () => {
  await using node = await rpcNode(honestAnswers(shop()))
  const file = await put('a.proof.json', shop().bundleOf('A'))
  const { out, status } = await run('cli', file, '--rpc', node.url, '--contract', `0x${'1'.repeat(40)}`)
  assert.equal(status, 1)
  assert.match(out, /another contract/)
})

test('no node there: status 2, and nothing is called verified', async () => {
  const file = await put('a.proof.json', shop().bundleOf('A'))
  const { out, status } = await run('cli', file, '--rpc', 'http://127.0.0.1:1/')
  assert.equal(status, 2)
  assert.match(out, /^Box A: unreachable\n/)
})

for (const [name, content] of [
  ['no JSON', '{'],
  ['a name given twice', '{"v":2,"v":2}'],
  ['bytes that are no UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
  ['something else', { v: 1 }],
] as const)
  test(`a file with ${name}: status 1, broken`, async () => {
    const { out, status } = await run('cli', await put('odd.json', content))
    assert.equal(status, 1)
    assert.match(out, /^Box \(unreadable\): broken\n/)
  })

for (const args of [
  [],
  ['a', 'b', 'c'],
  ['--rpc'],
  ['a', '--rpc', 'ftp://x'],
  ['a', '--rpc', 'http://x', '--anchors', 'y'],
  ['a', '--odd'],
  ['a', '--anchors-from', 'x.example'],
  ['a', '--anchors', 'y', '--anchors-from', 'no host'],
  ['a', '--rpc', 'http://x', '--rpc', 'http://y', '--rpc', 'http://z'],
  ['a', '--contract', '0x'],
])
  test(`arguments ${JSON.stringify(args)}: status 2 with the usage`, async () => {
    const { out, err, status } = await run('cli', ...args)
    assert.deepEqual([status, out], [2, ''])
    assert.match(err, /Usage: befaqt-verify/)
  })

test('a file that is not there: status 2', async () => {
  const { err, status } = await run('cli', 'nowhere.json')
  assert.equal(status, 2)
  assert.match(err, /nowhere\.json/)
})

test('a boxID that commands the terminal is printed harmlessly', async () => {
  const made = new Shop()
  made.append('\u001b[2J\u202eA', 'registration')
  made.anchor()
  const file = await put('odd-name.json', made.bundleOf('\u001b[2J\u202eA'))
  const { out } = await run('cli', file, '--anchors', await put('anchors.json', anchorFileText(made.file())))
  assert.match(out, /^Box \\u\{1b\}\[2J\\u\{202e\}A: Unchanged/)
})

test('exported anchors verify the box with no network at all', async () => {
  const file = await put('a.proof.json', shop().bundleOf('A'))
  {
    await using node = await rpcNode(honestAnswers(shop()))
    const { out, status } = await run(
      'cli-export',
      'exported.json',
      '--rpc',
      node.url,
      '--contract',
      contract,
    )
    assert.deepEqual([status, out], [0, '2 anchors written to exported.json\n'])
  }
  assert.equal(await readFile(join(folder, 'exported.json'), 'utf8'), anchorFileText(shop().file()))
  assert.equal((await run('cli', file, '--anchors', 'exported.json')).status, 3, 'whose node was it?')
  const from = (host: string) => run('cli', file, '--anchors', 'exported.json', '--anchors-from', host)
  assert.equal((await from('node.example')).status, 0)
  assert.equal((await from('rpc.example.org')).status, 3, 'the node of the shop')
})

test('an export that can not be whole is not written', async () => {
  const honest = honestAnswers(shop())
  await using node = await rpcNode((method, params) =>
    method === 'eth_getLogs' ? [] : honest(method, params),
  )
  const { err, status } = await run('cli-export', 'none.json', '--rpc', node.url, '--contract', contract)
  assert.equal(status, 2)
  assert.match(err, /no transaction was found for anchor 0/)
  await assert.rejects(readFile(join(folder, 'none.json')), { code: 'ENOENT' })
})

test('an export on which contract and transactions disagree is not written', async () => {
  const honest = honestAnswers(shop())
  await using node = await rpcNode((method, params) =>
    method === 'eth_getBlockByNumber'
      ? { ...Object(honest(method, params)), timestamp: '0x1' }
      : honest(method, params),
  )
  const { err, status } = await run('cli-export', 'other.json', '--rpc', node.url, '--contract', contract)
  assert.equal(status, 2)
  assert.match(err, /disagree on anchor 0/)
})

test('what a box weighs stands in the answer; a weight that was raised after a sale takes the top grade', async () => {
  const answer = async (facts: Parameters<typeof shopOf>[0]) => {
    const weighed = shopOf(facts)
    const file = await put('weighed.proof.json', weighed.bundleOf('A'))
    const anchors = await put('anchors.json', anchorFileText(weighed.file()))
    return run('cli', file, '--anchors', anchors, '--anchors-from', 'node.example')
  }
  const honest = await answer([weight(41_000), sale(38_200)])
  assert.match(honest.out, /^Weight: Sold 38\.2 of 41\.0 kg; 2\.8 kg left\. Weight typed in\.$/m)
  const raised = await answer([weight(41_000), sale(38_200), weight(45_000)])
  assert.match(raised.out, /^Weight: Sold 38\.2 of 45\.0 kg; .*raised from 41\.0 kg after the first sale\.$/m)
  const over = await answer([weight(41_000), sale(41_001)])
  assert.match(over.out, /^ {2}- With record 2 more of this box was sold and lost than ever went in\.$/m)
  const before = await answer([['tracking', {}]])
  assert.match(before.out, /^Weight: No weights stated\.$/m)
  const statuses = [honest, raised, over, before].map(({ status }) => status)
  assert.deepEqual(statuses, [0, 3, 1, 0])
})
