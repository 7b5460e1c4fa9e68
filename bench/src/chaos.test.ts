import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fromRoot } from '../../tools/script.mjs'
import { chaos } from './chaos/run.ts'

const skip =
  process.env.TEST_DATABASE_URL === undefined && 'no PostgreSQL programs: TEST_DATABASE_URL is not set'

test('the shop survives the failure of everything around it: readiness says so, and nothing is lost or doubled', {
  skip,
}, async (t) => {
  const built = process.env.SERVER_PROGRAM
  const programs = built
    ? { main: [built], worker: [join(dirname(built), 'worker.js')] }
    : { main: [fromRoot('server/src/main.ts')], worker: [fromRoot('server/src/worker.ts')] }
  // Five seconds and a busy shop with the sample are the command's: what runs beside a test may hold a probe up, and is held up.
  const env = { SAMPLE_DATA: 'off' }
  await chaos(programs, { rounds: 1, truthMs: 30_000, pauseMs: 200, env }, (line) => t.diagnostic(line))
})
