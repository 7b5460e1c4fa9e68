import assert from 'node:assert/strict'
import test from 'node:test'
import { secondRuns } from './second-run.ts'
import { closingLines, emptyTally } from './tally.ts'

/** Runs these files, each of which fails so many times; returns the closing lines and how often each ran. */
async function suite(files: Record<string, number>): Promise<{ lines: string; ran: number[] }> {
  const tally = emptyTally()
  const runs = secondRuns(tally)
  const ran = new Map(Object.keys(files).map((file) => [file, 0]))
  for (const [file, fails] of Object.entries(files))
    await runs.first([file], async (of) => {
      const turn = (ran.get(file) ?? 0) + 1
      ran.set(file, turn)
      if (turn > fails) of.passed += 1
      else {
        of.failed += 1
        of.failures.push(`${file}: not within 15 s`)
      }
    })
  await runs.second()
  return { lines: closingLines(tally).join('\n'), ran: [...ran.values()] }
}

const journey = (name: string): string => `e2e/journeys/${name}.e2e.ts`

test('a journey that failed beside others runs once more, and is named with what it failed on', async () => {
  const { lines, ran } = await suite({ [journey('a')]: 1, [journey('b')]: 0 })
  assert.deepEqual(ran, [2, 1])
  assert.match(lines, /failed beside others, passed alone:\n {2}e2e\/journeys\/a\.e2e\.ts: not within 15 s/)
  assert.match(lines, /2 passed, 0 failed/)
})

test('a journey that fails alone, too, has failed', async () => {
  const { lines, ran } = await suite({ [journey('a')]: 2 })
  assert.deepEqual(ran, [2])
  assert.match(lines, /\nfailed:\n {2}e2e\/journeys\/a/)
  assert.match(lines, /0 passed, 1 failed/)
})

test('a test of a rule has one run, and beside it no journey has two', async () => {
  const { lines, ran } = await suite({ 'server/src/orders/kill.test.ts': 1, [journey('a')]: 1 })
  assert.deepEqual(ran, [1, 1])
  assert.match(lines, /0 passed, 2 failed/)
})

test('more than five journeys that fail are no matter of a busy machine', async () => {
  const { lines, ran } = await suite(
    Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [journey(name), 1])),
  )
  assert.deepEqual(ran, [1, 1, 1, 1, 1, 1])
  assert.match(lines, /0 passed, 6 failed/)
})
