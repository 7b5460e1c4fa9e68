import { chaos } from './chaos/run.ts'
import { builtProgram } from './shop.ts'
import { endSmoke } from './sized.ts'

/** `npm run chaos -- [rounds]`: faults under load on two built web processes and a worker, three rounds unless told. */
const [rounds = '3'] = process.argv.slice(2)
if (!(Number(rounds) >= 1)) throw new Error('Please say: npm run chaos -- [rounds, at least 1]')

endSmoke()
const programs = { main: builtProgram('main').args, worker: builtProgram('worker').args }
await chaos(programs, { rounds: Number(rounds), truthMs: 5_000, pauseMs: 40 }, (line) =>
  console.log(`${new Date().toISOString()} ${line}`),
)
