import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { smallProject } from './small-project.ts'

const ROUNDS = 5

test('of three processes that want a lock at the same moment each gets it, one after the other', async () => {
  await using project = await smallProject()
  await project.write(
    'turns.ts',
    `import { appendFileSync } from 'node:fs'
     import { setTimeout as wait } from 'node:timers/promises'
     import { withLock } from './tools/lock.ts'
     const say = (what) => appendFileSync('turns.txt', what + process.pid + '\\n')
     const start = Number(process.argv[2])
     setTimeout(() => process.exit(1), 45_000).unref()
     for (let round = 0; round < ${ROUNDS}; round += 1) {
       await wait(start + round * 1200 - Date.now() - 30)
       while (Date.now() < start + round * 1200);
       await withLock('round-' + round, async () => {
         say('+')
         await wait(20)
         say('-')
       })
     }`,
  )
  // Installs, so that the three have nothing else to wait for; its moments have all passed.
  await project.run('run.mjs', ['turns.ts', '0'])
  const start = Date.now() + 3000
  const ended = await Promise.all([1, 2, 3].map(() => project.run('run.mjs', ['turns.ts', String(start)])))
  assert.deepEqual(
    ended.map(({ status }) => status),
    [0, 0, 0],
  )
  const turns = (await readFile(join(project.folder, 'turns.txt'), 'utf8')).trim().split('\n')
  assert.equal(turns.length, 2 * 4 * ROUNDS)
  for (let i = 0; i < turns.length; i += 2)
    assert.equal(turns[i]?.replace('+', '-'), turns[i + 1], 'nobody begins before the one before has ended')
})
