import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { buildEntry } from './log/builds.ts'
import { verifierKeyText } from './log/note.ts'
import { receiptLine } from './log/receipt.ts'
import { put, run } from './testing/commands.ts'
import { newSigner, ORIGIN, TestLog } from './testing/log.ts'

const entry = (index: number): string =>
  JSON.stringify({ boxes: 1, index, records: 1, root: 'a'.repeat(64), time: '2026-11-24T01:02:03Z' })
const logOf = (size: number): TestLog =>
  new TestLog().append(...Array.from({ length: size }, (_, i) => entry(i)))

test('the command holds a receipt against the log of today: a line, its words apart, a mail, a code', async () => {
  const log = logOf(9)
  await using shop = await log.serve()
  const note = await log.note(4)
  const line = receiptLine({ origin: ORIGIN, size: 4, root: await log.root(4) })
  await put('mail.txt', `> Thank you for your order.\n> ${line}\n`)
  await put('code.txt', note)
  for (const given of [[line], line.split(' '), ['mail.txt'], ['code.txt']]) {
    const { out, err, status } = await run('cli-receipt', ...given, '--log', shop.url)
    assert.deepEqual([status, err], [0, ''], out)
    assert.match(out, /^Your receipt fits\.\n/)
    assert.match(out, /4 entries, up to 2026-11-24T01:02:03Z\).*It has 9 entries now/)
    assert.match(out, /Its key is the one that the shop names/)
  }
  const { out } = await run('cli-receipt', 'code.txt', '--log', `${shop.url}/`, '--json')
  const { state, proof, receipt, today } = JSON.parse(out)
  assert.deepEqual([state, proof, receipt.size, receipt.time], ['fits', 'signed', 4, '2026-11-24T01:02:03Z'])
  assert.equal(today.size, 9)

  const key = verifierKeyText(log.signer.key)
  await put('policy.txt', `log ${key}\nquorum none\n`)
  for (const by of [
    ['--key', key],
    ['--policy', 'policy.txt'],
  ]) {
    const named = await run('cli-receipt', 'code.txt', '--log', shop.url, ...by)
    assert.equal(named.status, 0, named.err)
    assert.doesNotMatch(named.out, /that the shop names/)
  }
  const others = verifierKeyText(newSigner(ORIGIN).key)
  const unsigned = await run('cli-receipt', 'code.txt', '--log', shop.url, '--key', others)
  assert.equal(unsigned.status, 1, 'the log is not signed by the key that the buyer knows')
})

test('what does not fit ends with 1, what can’t be compared with 2 and its reason', async () => {
  const log = logOf(9)
  const later = log.fork().append(entry(9), entry(10))
  const forked = log.fork(3).append('other', 'others', 'more', 'and more')
  await put('later.txt', await later.note())
  await put('forked.txt', await forked.note(6))
  await put('own.txt', await log.note())
  await using shop = await log.serve()
  for (const [file, status, words] of [
    ['later.txt', 1, /shorter than your receipt/],
    ['forked.txt', 1, /^Broken: the log was changed after your receipt/],
  ] as const) {
    const { out, status: ended } = await run('cli-receipt', file, '--log', shop.url)
    assert.equal(ended, status, out)
    assert.match(out, words)
  }
  const [elsewhere] = [receiptLine({ origin: 'other.example/befaqt/log', size: 4, root: await log.root(4) })]
  const typed = receiptLine({ origin: ORIGIN, size: 4, root: await log.root(4) })
  const slip = typed.replace(/[a-z](?=[^ ]*$)/, (letter) => (letter === 'a' ? 'b' : 'a'))
  for (const [args, words] of [
    [[elsewhere], /of another log/],
    [[slip], /A slip in the line[\s\S]*befaqt1/],
    [[typed.slice(0, -3)], /44 characters/],
    [['nowhere.txt'], /There is no file nowhere\.txt[\s\S]*Usage/],
    [['own.txt', '--key', 'x', '--policy', 'y'], /not both/],
    [['own.txt', '--key', 'x'], /must be a key/],
    [['own.txt', '--log', 'ftp://x'], /must be an http/],
    [[], /Name a receipt/],
  ] as const) {
    const { out, err, status } = await run(
      'cli-receipt',
      ...args,
      ...(args.includes('--log' as never) ? [] : ['--log', shop.url]),
    )
    assert.equal(status, 2, `${args}`)
    assert.match(out + err, words)
  }
  const none = await run('cli-receipt', 'own.txt', '--log', `${shop.url}/nothing`)
  assert.deepEqual([none.status, /shows no log/.test(none.err)], [2, true])
  const away = await run('cli-receipt', 'own.txt', '--log', 'http://127.0.0.1:1')
  assert.deepEqual([away.status, /could not be read/.test(away.err)], [2, true])
})

test('a checker is looked for in the log of builds, as a file and by its hash', async () => {
  const page = '<!doctype html>checker'
  const hash = createHash('sha256').update(page).digest('hex')
  const entries = [
    { kind: 'build', hash: '0'.repeat(64) },
    { kind: 'checker', hash },
  ] as const
  const log = new TestLog(newSigner(`${ORIGIN}-builds`)).append(
    ...entries.map((entry) => Buffer.from(buildEntry({ ...entry, version: '7' })).toString()),
  )
  await using shop = await log.serve()
  await put('check.html', page)
  await put('other.html', `${page} `)
  const address = `${shop.url}/log`
  const find = (...args: string[]) => run('cli-receipt', '--checker', ...args)
  for (const given of ['check.html', hash, hash.toUpperCase()]) {
    const { out, status } = await find(given, '--log', address)
    assert.equal(status, 0, out)
    assert.match(out, new RegExp(`^In the log: ${hash}\\.\\n.*entry 1 of 2, of version 7`))
    assert.match(out, /Its key is the one that the shop names/)
  }
  const other = await find('other.html', '--log', address, '--json')
  assert.equal(other.status, 1)
  assert.deepEqual(JSON.parse(other.out).isInLog, false)
  assert.equal((await find('0'.repeat(64), '--log', address)).status, 1, 'a build is no checker')
  const key = ['--key', verifierKeyText(newSigner(`${ORIGIN}-builds`).key)]
  const wrong = await find(hash, '--log', address, ...key)
  assert.deepEqual([wrong.status, wrong.out], [2, ''])
  for (const args of [[hash], ['no-file.html', '--log', address], [hash, 'befaqt1 x', '--log', address]])
    assert.equal((await find(...args)).status, 2, args.join(' '))
  log.append('no build')
  assert.equal((await find(hash, '--log', address)).status, 2, 'a log that holds what is no build')
})
