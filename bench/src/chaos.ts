import { newestBuild } from '../../.launch/built.mjs'
import { inRoot } from '../../.launch/paths.mjs'
import { serverProgram } from '../../.launch/server-program.mjs'
import { chaos } from './chaos/run.ts'

/** `npm run chaos -- [rounds]`: faults under load on two built web processes and a worker, three rounds unless told. */
const [rounds = '3'] = process.argv.slice(2)
if (!(Number(rounds) >= 1)) throw new Error('Please say: npm run chaos -- [rounds, at least 1]')

const folder = newestBuild(inRoot('server', 'dist')) ?? ''
const programs = { main: serverProgram('main', folder).args, worker: serverProgram('worker', folder).args }
await chaos(programs, { rounds: Number(rounds), truthMs: 5_000 }, (line) =>
  console.log(`${new Date().toISOString()} ${line}`),
)
