import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { closingLines, emptyTally, type Tally } from './tally.ts'
import { runTestFiles } from './test-files.ts'

/** What the suite makes of one test file, or of several in one process. */
async function tallyOf(bodies: string | readonly string[], limitS?: number): Promise<Tally> {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-suite-'))
  const tally = emptyTally()
  const files: string[] = []
  try {
    for (const [n, body] of [bodies].flat().entries()) {
      const file = join(folder, `${n}.test.mjs`)
      await writeFile(file, `import test from 'node:test'\n${body}`)
      files.push(file)
    }
    await runTestFiles(files, process.env, tally, limitS)
    return tally
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const cases = [
  ['two tests that pass', 'test("a", () => {}); test("b", () => {})', [2, 0, 0], undefined],
  ['a test that fails', 'test("a", () => {}); test("b", () => { throw new Error() })', [1, 1, 0], /1 of 2/],
  ['a test that is left out', 'test("a", { skip: "no net" }, () => {})', [0, 0, 1], undefined],
  ['a file that breaks while it is read', 'throw new Error("x")', [0, 1, 0], /status 1/],
  [
    'a file whose tests pass but whose process fails',
    'test("a", () => {}); process.exitCode = 3',
    [1, 1, 0],
    /status 3/,
  ],
  ['a file without tests', 'void test', [0, 1, 0], /holds no tests/],
  ['a file that ends in the middle', 'test("a", () => process.exit(0))', [0, 1, 0], /holds no tests/],
] as const

for (const [name, body, [passed, failed, skipped], fault] of cases)
  test(`${name}: ${passed} passed, ${failed} failed, ${skipped} skipped`, async () => {
    const tally = await tallyOf(body)
    assert.equal(closingLines(tally).at(-1), `${passed} passed, ${failed} failed, ${skipped} skipped`)
    assert.match(tally.failures.join(), fault ?? /^$/)
  })

test('the reason why a test was skipped is in the closing lines', async () => {
  assert.match(
    closingLines(await tallyOf('test("a", { skip: "no net" }, () => {})')).join('\n'),
    /: a \(no net\)/,
  )
})

test('what a test failed on is in the closing lines', async () => {
  const tally = await tallyOf('test("a thing holds", () => { throw new Error("one\\n  and two") })')
  assert.match(closingLines(tally).join('\n'), /1 of 1 tests failed\.\n {4}a thing holds: one and two\n/)
})

test('a file that leaves a handle open is killed and counts as failed', async () => {
  const tally = await tallyOf('test("a", () => {}); setInterval(() => {}, 1000)', 3)
  assert.equal(tally.failed, 1)
  assert.match(tally.failures.join(), /did not end within 3 s/)
})

test('files in one process are counted together, and a skipped test names its own file', async () => {
  const tally = await tallyOf([
    'test("a", () => {})',
    'test("b", () => {}); test("c", { skip: "no net" }, () => {})',
  ])
  assert.equal(closingLines(tally).at(-1), '2 passed, 0 failed, 1 skipped')
  assert.match(tally.skips[0]?.file ?? '', /1\.test\.mjs$/)
})

test('a file without tests, or one that fails to load, is not hidden by others of its process', async () => {
  const without = await tallyOf(['test("a", () => {})', 'void test'])
  assert.match(without.failures.join(), /1\.test\.mjs: holds no tests/)
  assert.match((await tallyOf(['throw new Error("x")', 'test("a", () => {})'])).failures.join(), /status 1/)
})
