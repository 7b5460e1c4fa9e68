import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { mirrorPath } from './log/add-checkpoint.ts'
import { parseCheckpoint } from './log/checkpoint.ts'
import { keyTypes, parseNote, verifierKeyText } from './log/note.ts'
import { cosign, type Signer } from './log/signed-checkpoint.ts'
import { put, run, shop } from './testing/commands.ts'
import { newSigner, ORIGIN, type TestLog } from './testing/log.ts'
import { loggedBundle, logOf } from './testing/logged-shop.ts'
import type { Shop } from './testing/shop.ts'

const NOW_S = Math.floor(Date.now() / 1000)
const DAY = 86_400
const mirror = newSigner('market.example/mirror', keyTypes.ed25519Cosigner)
const NOWHERE = 'http://127.0.0.1:9/'

/** What a mirror serves of a log: its checkpoint is signed by this key at this time. */
async function serve(log: TestLog, { by = mirror as Signer, timeS = NOW_S - 60 } = {}) {
  const server = createServer((request, response) => {
    const path = request.url?.split(`${mirrorPath(ORIGIN)}/`)[1] ?? ''
    void log.answer(path).then((found) => {
      const body =
        path === 'checkpoint' && typeof found === 'string'
          ? found + cosign(parseCheckpoint(parseNote(found).text), by, timeS)
          : found
      response.writeHead(body === undefined ? 404 : 200).end(body)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const policyFile = (of: Shop, quorum = 'mirror', key = mirror.key): Promise<string> =>
  put(
    'policy.txt',
    `log ${verifierKeyText(logOf(of).signer.key)}\nwitness mirror ${verifierKeyText(key)}\nquorum ${quorum}\n`,
  )

/** A proof as the shop gave it, whose node is gone since. */
async function proofFile(of: Shop, isLogged = true): Promise<string> {
  const bundle = isLogged ? await loggedBundle(of, 'A') : of.bundleOf('A')
  return put('a.proof.json', { ...bundle, ledger: { ...bundle.ledger, rpc: NOWHERE } })
}

test('a box is checked against the copy of a mirror when shop and node are gone', async () => {
  const own = shop()
  await using served = await serve(logOf(own))
  for (const isLogged of [true, false]) {
    const args = [
      await proofFile(own, isLogged),
      '--mirror',
      `${served.url}/`,
      '--policy',
      await policyFile(own),
    ]
    const { out, err, status } = await run('cli', ...args)
    assert.deepEqual([status, err], [0, ''], out)
    assert.match(out, /^Box A: verified\n/)
    assert.match(
      out,
      /read from the copy of fish\.example\/befaqt\/log at \S+, 2 anchors, signed by market\.example\/mirror at 20/,
    )
    assert.match(out, /A log holds no transactions/)
  }
  const { out } = await run(
    'cli',
    await proofFile(own),
    '--mirror',
    served.url,
    '--policy',
    await policyFile(own),
    '--json',
  )
  assert.deepEqual(JSON.parse(out).ledger.asked.grade, 'witnessed')

  const log = logOf(own)
  const copy = ['--log', served.url + mirrorPath(ORIGIN), '--key', verifierKeyText(log.signer.key)]
  const receipt = await run('cli-receipt', await put('code.txt', await log.note(1)), ...copy)
  assert.deepEqual([receipt.status, receipt.err], [0, ''], receipt.out)
})

test('a copy that nobody of the policy signed is not read; one that was signed long ago, or by too few, is worth less', async () => {
  const own = shop()
  const file = await proofFile(own)
  const stranger = newSigner('stranger.example/mirror', keyTypes.ed25519Cosigner)
  {
    await using served = await serve(logOf(own), { by: stranger })
    const { out, err, status } = await run(
      'cli',
      file,
      '--mirror',
      served.url,
      '--policy',
      await policyFile(own),
    )
    assert.deepEqual([status, out], [2, ''])
    assert.match(err, /signed by nobody whom the policy names/)
  }
  {
    // Its name and id, and not its key
    const forger = { key: mirror.key, sign: stranger.sign }
    await using served = await serve(logOf(own), { by: forger })
    const { err, status } = await run('cli', file, '--mirror', served.url, '--policy', await policyFile(own))
    assert.deepEqual([status, /is not by the key that it names/.test(err)], [2, true], err)
  }
  for (const [quorum, timeS] of [
    ['mirror', NOW_S - DAY - 60],
    ['mirror', NOW_S + DAY],
    ['none', NOW_S - 60],
  ] as const) {
    await using served = await serve(logOf(own), { timeS })
    const policy = await policyFile(own, quorum)
    const { out, status } = await run('cli', file, '--mirror', served.url, '--policy', policy)
    assert.equal(status, 3, out)
    assert.match(out, /Fewer than the policy asks for have signed it within a day/)
  }
})

test('a copy of another history, a shorter or a longer one, is what it is', async () => {
  const own = shop()
  const file = await proofFile(own, false)
  const policy = await policyFile(own)
  const check = async (log: TestLog) => {
    await using served = await serve(log)
    return await run('cli', file, '--mirror', served.url, '--policy', policy)
  }
  const forked = shop()
  forked.append('B', 'tracking')
  forked.anchors.splice(1)
  forked.anchor()
  const broken = await check(logOf(forked))
  assert.equal(broken.status, 1, broken.out)
  assert.match(broken.out, /^Box A: broken/)
  const shorter = await check(logOf(own).fork(1))
  assert.equal(shorter.status, 2)
  assert.match(shorter.out, /this copy of the ledger ends at anchor 0/)
  const grown = shop()
  grown.append('A', 'tracking')
  grown.anchor()
  assert.match((await check(logOf(grown))).out, /^Box A: incomplete/)
  const odd = await check(logOf(own).append('no anchor'))
  assert.deepEqual([odd.status, odd.out], [2, ''])
})

test('how a mirror is named wrongly is said', async () => {
  const own = shop()
  const file = await proofFile(own)
  const policy = ['--policy', await policyFile(own)]
  for (const [args, words] of [
    [['--mirror', NOWHERE], /with --policy/],
    [['--mirror', 'ftp://x', ...policy], /must be an http/],
    [['--mirror', NOWHERE, '--rpc', NOWHERE, ...policy], /Give one of/],
    [['--mirror', NOWHERE, '--contract', `0x${'0'.repeat(40)}`, ...policy], /without --contract/],
    [['--mirror', NOWHERE, ...policy], /127\.0\.0\.1:9\/ could not be read/],
  ] as const) {
    const { err, status } = await run('cli', file, ...args)
    assert.equal(status, 2)
    assert.match(err, words)
  }
})
