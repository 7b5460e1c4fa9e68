import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { monitorPath } from './log/add-checkpoint.ts'
import { parseCheckpoint } from './log/checkpoint.ts'
import { parseNote } from './log/note.ts'
import { cosign } from './log/signed-checkpoint.ts'
import { put, run, shop } from './testing/commands.ts'
import { ORIGIN, TestLog } from './testing/log.ts'
import { loggedBundle, logOf, partiesOf, witnesses } from './testing/logged-shop.ts'

const DAY = 86_400
const NOW_S = Math.floor(Date.now() / 1000)

/** What a witness answers at its monitor address, and of itself. */
type Answer = { note?: string; about?: string }

async function monitor(answer: Answer): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((request, response) => {
    const body =
      request.url === monitorPath(ORIGIN) ? answer.note : request.url === '/' ? answer.about : undefined
    response.writeHead(body === undefined ? 404 : 200).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A checkpoint that this witness has signed. */
async function signed(log: TestLog, { size = log.size, timeS = NOW_S - 60, by = 0 } = {}): Promise<string> {
  const note = await log.note(size)
  const signer = witnesses[by]
  assert.ok(signer)
  return note + cosign(parseCheckpoint(parseNote(note).text), signer, timeS)
}

/** The check of a proof that two witnesses signed `ageS` ago, under a policy that needs one which answers so. */
async function checked(answer: Answer, ageS = 2 * DAY) {
  await using witness = await monitor(answer)
  const anchored = shop()
  const bundle = await loggedBundle(anchored, 'A', { timeS: NOW_S - ageS })
  const proof = { ...bundle, ledger: { ...bundle.ledger, rpc: 'http://127.0.0.1:9/' } }
  const parties = partiesOf().map((line) =>
    line.startsWith('witness market') ? `${line} ${witness.url}/` : line,
  )
  const policy = await put('policy.txt', [...parties, 'quorum market', ''].join('\n'))
  const file = await put('a.proof.json', proof)
  const { out, status } = await run('cli', file, '--policy', policy)
  return { out, status, without: (await run('cli', file, '--policy', await policyWithout())).status }
}
const policyWithout = () => put('without.txt', [...partiesOf(), 'quorum market', ''].join('\n'))

test('what a witness has signed anew of the very state of an old proof makes it whole again', async () => {
  const log = logOf(shop())
  const about = 'An auditing witness\n\nkind auditing\n'
  const { out, status, without } = await checked({ note: await signed(log), about })
  assert.deepEqual([status, without], [0, 2])
  assert.match(out, /^Box A: verified, witnessed 1 of 1\n/)
  assert.match(out, /\n {2}market \(by its own page auditing\) has signed 2 entries at 20\S+Z\.\n/)
  const old = await checked({ note: await signed(log, { timeS: NOW_S - DAY - 60 }), about: 'kind general\n' })
  assert.equal(old.status, 2, 'that is over a day ago, too')
  assert.match(old.out, /longer ago than a day(.|\n)*by its own page general/)
})

test('a newer state than that of an old proof leaves it stale, and it is to be fetched anew', async () => {
  const grown = shop()
  for (const _ of [1, 2]) {
    grown.append('B', 'tracking')
    grown.anchor()
  }
  const note = await signed(logOf(grown))
  const { out, status } = await checked({ note })
  assert.equal(status, 2)
  assert.match(out, /longer ago than a day/)
  assert.match(out, /market has signed 4 entries at \S+, and the proof has 2: fetch it anew/)
  const fresh = await checked({ note }, 60)
  assert.equal(fresh.status, 0, 'within a day it is still good')
})

test('another state of the same size, signed by the log too, is broken', async () => {
  const note = await signed(logOf(shop()).fork(1).append('x'))
  for (const ageS of [60, 2 * DAY]) {
    const { out, status } = await checked({ note }, ageS)
    assert.equal(status, 1)
    assert.match(out, /^Box A: broken\n(.|\n)*market shows another state of this log, of the same size/)
  }
})

test('what is no such state changes nothing: false, of others, endless, none', async () => {
  const log = logOf(shop())
  const good = await signed(log)
  const answers: Answer[] = [
    {},
    { note: 'hello' },
    { note: await log.note() },
    { note: await signed(log, { by: 1 }) }, // by another of the policy, who is not asked for
    { note: await signed(new TestLog().append('a', 'b')) }, // by another key of that name
    { note: good.replace(/(.)(.{20}\n)$/, (_, c, rest) => (c === 'A' ? 'B' : 'A') + rest) },
    { note: good + 'x'.repeat(1_000_000) },
  ]
  for (const [i, answer] of answers.entries()) {
    const { out, status } = await checked(answer)
    assert.equal(status, 2, `${i} ${out}`)
    assert.match(out, /longer ago than a day/, `${i}`)
  }
})
