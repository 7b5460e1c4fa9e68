import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import test from 'node:test'
import { readLog } from './log-lines.ts'

test('lines are parsed across chunks, and one that is not JSON is kept as text', async () => {
  const stream = new PassThrough()
  const log = readLog(stream)
  stream.write('{"level":30,"msg":"one"}\n{"level":50,')
  stream.write('"msg":"two"}\nplain words\n')
  await log.first((line) => line.msg === 'plain words')
  assert.deepEqual(
    log.lines.map((line) => [line.level, line.msg]),
    [
      [30, 'one'],
      [50, 'two'],
      [0, 'plain words'],
    ],
  )
  assert.deepEqual(
    log.errors().map((line) => line.msg),
    ['two'],
  )
})

test('a log line can be awaited before and after it is written', async () => {
  const stream = new PassThrough()
  const log = readLog(stream)
  const coming = log.first((line) => line.msg === 'ready')
  stream.write(
    '{"level":30,"msg":"starting"}\n{"level":30,"msg":"ready","n":1}\n{"level":30,"msg":"ready","n":2}\n',
  )
  assert.equal((await coming).n, 1)
  assert.equal((await log.first((line) => line.msg === 'ready')).n, 1)
})
