import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { verifierKeyText } from '../log/note.ts'
import { parsePolicy } from '../log/policy.ts'
import { newSigner, ORIGIN } from '../testing/log.ts'
import { startWitness } from '../testing/witness-process.ts'

const log = newSigner(ORIGIN).key
const POLICY = "default-src 'none'; script-src 'sha256-of-the-script'"
const PAGE = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${POLICY}" />Šnapper`

let folder: string
let checker: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'befaqt-witness-'))
  checker = join(folder, 'check.html')
  await writeFile(checker, PAGE)
})
after(() => rm(folder, { recursive: true }))

test('a witness serves the checker as it is, and beside it a policy that asks for itself', async () => {
  await using witness = await startWitness({ folder: join(folder, 'one'), log, checker })
  const page = await fetch(`${witness.url}/check`)
  assert.deepEqual([page.status, await page.text()], [200, PAGE])
  assert.equal(page.headers.get('content-security-policy'), `${POLICY}; frame-ancestors 'none'`)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html; charset=utf-8$/)
  const beside = await fetch(`${witness.url}/check-policy.txt`)
  assert.equal(beside.headers.get('access-control-allow-origin'), '*')
  const text = await beside.text()
  const policy = parsePolicy(Buffer.from(text))
  assert.deepEqual(
    [policy.logs, [...policy.witnesses.values()]].map((all) => all.map(({ key }) => verifierKeyText(key))),
    [[verifierKeyText(log)], witness.keys.map(verifierKeyText)],
  )
  assert.equal(policy.quorum, 'market.example/witness-alone')
  assert.deepEqual(
    [...policy.groups],
    [
      [
        'market.example/witness',
        { k: 1, members: ['market.example/witness-ed', 'market.example/witness-ml'] },
      ],
      ['market.example/witness-alone', { k: 1, members: ['market.example/witness'] }],
    ],
  )
  assert.match(await (await fetch(witness.url)).text(), /^checker \/check$/m)
  assert.equal((await fetch(`${witness.url}/check`, { method: 'POST' })).status, 405)
})

test('a policy of its operator is served instead, and what is no policy or no checker stops the start', async () => {
  const policy = join(folder, 'policy.txt')
  await writeFile(policy, `# ours\nlog ${verifierKeyText(log)}\nquorum none\n`)
  await using witness = await startWitness({ folder: join(folder, 'two'), log, checker, policy })
  assert.match(await (await fetch(`${witness.url}/check-policy.txt`)).text(), /^# ours\n/)
  await assert.rejects(
    startWitness({ folder: join(folder, 'three'), log, checker, policy: checker }),
    /WITNESS_POLICY is no policy/,
  )
  await assert.rejects(
    startWitness({ folder: join(folder, 'four'), log, checker: policy }),
    /WITNESS_CHECKER must be a check\.html/,
  )
  await assert.rejects(
    startWitness({ folder: join(folder, 'five'), log, checker: join(folder, 'none') }),
    /WITNESS_CHECKER must be a file/,
  )
})
