import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '../../tools/test/free-port.ts'
import { startServer } from '../support/server.ts'
import { within } from '../support/within.ts'

const program = join(import.meta.dirname, '../../server/src/cli/simulate.ts')

test('simulated boxes report signed readings over MQTT until their journey ends, and Ctrl-C ends it cleanly', async () => {
  const port = await freePort()
  await using server = await startServer({ env: { MQTT_PORT: String(port), SAMPLE_DATA: 'off' } })
  const key = await server.operatorKey()
  const simulate = (...more: string[]) => {
    const where = ['--server', server.url, '--mqtt', `mqtt://127.0.0.1:${port}`, '--key', key]
    const child = spawn(process.execPath, [program, ...where, ...more])
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
    return { child, ended: once(child, 'close').then(([code]) => ({ code, said })) }
  }
  const whole = await within(
    60,
    'the journeys end',
    simulate('--boxes', '2', '--hours', '2', '--speed', '3600').ended,
  )
  assert.deepEqual([whole.code, whole.said.includes('Done: 26 readings')], [0, true], whole.said)
  const { rows } = (await (await server.call('/api/device')).json()) as {
    rows: { level: string; last: { box: string } }[]
  }
  assert.deepEqual(
    rows.map(({ level, last }) => [level, last.box.startsWith('SIM-')]),
    [
      ['sensor', true],
      ['sensor', true],
    ],
  )
  const box = rows[0]?.last.box ?? ''
  const { records } = (await (await server.call(`/api/box/${box}/proof`)).json()) as {
    records: { kind: string; data: { signed?: { form: string; bytes: string } } }[]
  }
  const tracked = records.filter(({ kind }) => kind === 'tracking')
  assert.equal(tracked.filter(({ data }) => data.signed?.form === 'cose').length, 13)
  const sent = tracked.map(({ data }) => Buffer.from(data.signed?.bytes ?? '', 'hex'))
  const onward = sent.filter((bytes, i) => bytes.includes(hash('sha256', sent[i - 1] ?? '', 'buffer')))
  assert.equal(onward.length, 12, 'each after the first names the one before')

  const { child, ended } = simulate('--boxes', '1', '--hours', '24', '--speed', '60')
  await within(30, 'it has begun', once(child.stderr, 'data'))
  child.kill('SIGINT')
  const stopped = await within(20, 'it stops', ended)
  assert.deepEqual([stopped.code, /Stopped: \d+ readings/.test(stopped.said)], [0, true], stopped.said)
})
