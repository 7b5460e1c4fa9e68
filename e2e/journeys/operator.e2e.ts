import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sampleBox } from '../support/box-page.ts'
import { type CommandResult, runScript } from '../support/command.ts'
import { newDataDir, type Server, startServer } from '../support/server.ts'
import { until } from '../support/within.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'befaqt-operator-'))
})
after(() => rm(folder, { recursive: true, force: true }))

const ANCHOR_S = 180
type Proof = { records: unknown[]; anchors: { leaf: { count: number }; txHash: string }[] }

const read = async <T>(server: Server, path: string): Promise<T> => (await server.call(path)).json()
const proofOf = (server: Server): Promise<Proof> => read(server, `/api/box/${sampleBox}/proof`)

const isAnchored = async (server: Server): Promise<boolean> => {
  const { records, anchors } = await proofOf(server)
  return anchors.at(-1)?.leaf.count === records.length
}

/** Everything about the sample box that must survive a restart. */
const memoryOf = async (server: Server) => ({
  box: await read(server, `/api/box/${sampleBox}`),
  proof: await proofOf(server),
  key: await server.operatorKey(),
})

test('boxes, proofs, chain and key survive a clean stop and a kill', async () => {
  const dataDir = await newDataDir()
  after(() => rm(dataDir, { recursive: true, force: true }))
  const options = { dataDir, env: { PUBLIC_URL: 'http://shop.example' } }
  await using first = await startServer(options)
  await until(ANCHOR_S, 'the box is anchored', () => isAnchored(first))
  const known = await memoryOf(first)
  await first.stop()

  await using second = await startServer(options)
  assert.deepEqual(await memoryOf(second), known, 'after a clean end')
  await second.kill()

  await using third = await startServer(options)
  assert.deepEqual(await memoryOf(third), known, 'after a power cut')
  const parts = [
    'database',
    'migration',
    'queue',
    'events',
    'chain',
    'files',
    'disk',
    'mail',
    'broker',
    'leader',
    'ledger',
    'log',
    'witnesses',
    'stamps',
    'standby',
    'replica',
    'nodes',
    'drill',
    'archives',
  ]
  const ready = { ok: true, ...Object.fromEntries(parts.map((part) => [part, 'ok'])) }
  assert.deepEqual(await read(third, '/readyz'), ready)
})

test('two shops run side by side, but not on one data folder', async () => {
  await using one = await startServer({ env: { SAMPLE_DATA: 'off' } })
  await using two = await startServer({ env: { SAMPLE_DATA: 'off' } })
  for (const server of [one, two]) assert.equal((await server.call('/healthz')).status, 200)
  assert.notEqual(await one.operatorKey(), await two.operatorKey())
  await assert.rejects(startServer({ dataDir: one.dataDir }), /in use by another process/)
})

for (const [name, env, sentence] of [
  ['PORT', { PORT: 'fish' }, /Wrong setting\. PORT: /],
  ['PUBLIC_URL', { PUBLIC_URL: 'shop' }, /Wrong setting\. PUBLIC_URL: must be an http or https address/],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://x' }, /Wrong setting\. DATABASE_URL: must be a postgres/],
] as const)
  test(`an invalid ${name} stops the start with a message that names it`, async () => {
    await assert.rejects(startServer({ env }), sentence)
  })

test('the commands import a box, and verify it without trusting the shop', async () => {
  await using server = await startServer()
  await until(ANCHOR_S, 'the box is anchored', () => isAnchored(server))
  const verify = (file: string, ...args: string[]): Promise<CommandResult> =>
    runScript(folder, 'provenance/src/cli.ts', [file, ...args])
  const proof = await (await server.call(`/api/box/${sampleBox}/proof`)).text()
  await writeFile(join(folder, 'one.proof.json'), proof)
  await writeFile(
    join(folder, 'forged.proof.json'),
    proof.replace(/"temperature":(-?\d+)/, '"temperature":9$1'),
  )

  const node = ['--rpc', `${server.url}/api/chain/rpc`]
  const honest = await verify('one.proof.json', ...node)
  assert.deepEqual([honest.status, honest.stderr], [3, ''], honest.stdout)
  assert.match(honest.stdout, /Unchanged, by the ledger that the shop names; we asked nobody else/)
  const believed = await verify('one.proof.json', '--json')
  assert.deepEqual([believed.status, JSON.parse(believed.stdout).verdict], [3, 'verified'])
  assert.equal((await verify('forged.proof.json')).status, 1)
  assert.equal((await verify('one.proof.json', '--rpc', 'http://127.0.0.1:9')).status, 2)

  const audit = (...args: string[]): Promise<CommandResult> =>
    runScript(folder, 'provenance/src/cli-audit.ts', ['--server', server.url, ...args])
  const audited = await audit(...node, '--state', 'audit.json')
  assert.deepEqual([audited.status, audited.stderr], [3, ''], audited.stdout)
  assert.match(
    audited.stdout,
    /^Consistent, by the ledger that the shop names; .*\.\nFollowed to anchor \d+, the newest: \d+ boxes\./,
  )
  assert.equal((await audit('--state', 'audit.json')).status, 3, 'the node that the shop names')
  const kept = await readFile(join(folder, 'audit.json'), 'utf8')
  const state = JSON.parse(kept)
  await writeFile(join(folder, 'other.json'), JSON.stringify({ ...state, root: '0'.repeat(64), states: [] }))
  const other = await audit(...node, '--state', 'other.json')
  assert.deepEqual([other.status, other.stderr], [1, ''])
  assert.match(other.stdout, /no longer holds anchor \d+ as it was audited/)
  assert.equal((await audit('--rpc', 'http://127.0.0.1:9')).status, 2)
  assert.match((await audit('--from', '3')).stderr, /--from must be/)

  const whole: object = await read(server, `/api/box/${sampleBox}`)
  const importBox = (file: string): Promise<CommandResult> =>
    runScript(folder, 'server/src/cli/box-import.ts', [file, '--server', server.url], {
      DATA_DIR: server.dataDir,
    })
  await writeFile(join(folder, 'new.json'), JSON.stringify({ ...whole, boxID: '9990001112' }))
  await writeFile(join(folder, 'wrong.json'), JSON.stringify({ boxID: '9990001113' }))
  assert.deepEqual(await importBox('new.json'), { status: 0, stdout: '9990001112: imported\n', stderr: '' })
  assert.match((await importBox('new.json')).stdout, /was here already/)
  const refused = await importBox('wrong.json')
  assert.equal(refused.status, 1)
  assert.match(refused.stderr, /Refused \(400\)/)
})
