import { newestBuild } from '../../tools/build-folders.ts'
import { fromRoot } from '../../tools/script.mjs'
import { serverProgram } from '../../tools/server-program.ts'
import { chaos } from './chaos/run.ts'

/** `npm run chaos -- [rounds]`: faults under load on two built web processes and a worker, three rounds unless told. */
const [rounds = '3'] = process.argv.slice(2)
if (!(Number(rounds) >= 1)) throw new Error('Please say: npm run chaos -- [rounds, at least 1]')

const folder = newestBuild(fromRoot('server', 'dist')) ?? ''
const programs = { main: serverProgram('main', folder).args, worker: serverProgram('worker', folder).args }
await chaos(programs, { rounds: Number(rounds), truthMs: 5_000, pauseMs: 40 }, (line) =>
  console.log(`${new Date().toISOString()} ${line}`),
)
