/**
 * Races three processes a thousand times for the data folder of a killed process, and prints how many acquired it.
 * `node bench/src/locks.ts [rounds] [processes]`
 */
import { raceForLocks } from '../../server/src/testing/lock-race.ts'
import { sized } from './sized.ts'

const [rounds = sized(1_000, 3), processes = 3] = process.argv.slice(2).map(Number)
const began = performance.now()
const holders = await raceForLocks(processes, rounds)
const seconds = Math.round((performance.now() - began) / 1_000)
const by = (n: number): number => holders.filter((held) => held === n).length
console.log(`${rounds} rounds of ${processes} processes in ${seconds} s (Node ${process.versions.node})`)
for (let n = 0; n <= processes; n++) console.log(`held by ${n}: ${by(n)}`)
process.exitCode = by(1) === rounds ? 0 : 1
