import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { openPostgres } from '#server/db/postgres.ts'
import { startWorker } from '#server/jobs/lane.ts'

/**
 * A worker process for tests to pause and kill, on the PostgreSQL of its first argument, with leases of as many seconds
 * as the second. A job `wait` ends at a line on standard input, a job `kill` kills the process. Logs what it does.
 */
const [url = '', leaseS = ''] = process.argv.slice(2)
const tell = (line: string): void => void writeSync(1, `${line}\n`)
const log = { warn: (_details: object, message: string) => tell(message), error: () => undefined }
const lines = createInterface(process.stdin)
const database = await openPostgres(url, () => undefined)
await startWorker(
  database,
  {
    wait: async () => {
      tell('began')
      await new Promise((go) => lines.once('line', go))
      tell('did it')
    },
    kill: async () => {
      tell('began')
      process.kill(process.pid, 'SIGKILL')
      await new Promise(() => undefined)
    },
  },
  log,
  { leaseS: Number(leaseS), timeoutS: 600 },
)
tell('ready')
