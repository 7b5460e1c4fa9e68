import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { embeddedWorld } from '../../server/src/testing/storm/embedded-world.ts'
import { firstLap } from '../../server/src/testing/storm/first-lap.ts'
import { killing, killingLap } from '../../server/src/testing/storm/killing.ts'
import { acts, playStorm, type StormOptions } from '../../server/src/testing/storm/run.ts'
import { root } from '../../tools/script.mjs'
import { type PrivatePostgres, startPostgres } from '../../tools/test/private-postgres.ts'
import { builtProgram } from './shop.ts'
import { endSmoke } from './sized.ts'
import { processesWorld } from './storm/processes-world.ts'

const USAGE = `npm run storm -- [--seed N] [--seeds COUNT] [--steps M] [--on embedded,icu,c] [--from-file FILE]

Plays storms of at least M steps from the seeds N, N + 1 … on each kind of database: embedded in one process, and on a
private PostgreSQL that sorts as a language does, or by bytes, with two processes that are killed.
  --from-file    what was played is noted there, a line of JSON each, and left out the next time; what failed, and what an
                 older storm played, which did other things, is played again. bench/storm-seeds.jsonl has what was played
  --path, --replay-path    of a failure: plays it again, on one kind of database`

const kinds = ['embedded', 'icu', 'c'] as const
type Kind = (typeof kinds)[number]

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    steps: { type: 'string', default: '100' },
    on: { type: 'string', default: kinds.join(',') },
    'from-file': { type: 'string' },
    path: { type: 'string' },
    'replay-path': { type: 'string' },
    help: { type: 'boolean' },
  },
})
const [seed, seeds, steps] = [values.seed, values.seeds, values.steps].map(Number)
const on = values.on.split(',')
const isAsked = (kind: Kind): boolean => on.includes(kind)
if (values.help || !seed || !seeds || !steps || !on.every((name) => kinds.some((kind) => kind === name))) {
  console.log(USAGE)
  process.exit(values.help ? 0 : 2)
}

endSmoke()
const file = values['from-file']

/** A line of the file. `acts`: what its storm does, in short; `commit`: that was played; null: not in a repository. */
type Played = {
  seed: number
  steps: number
  on: Kind
  acts: string
  result: 'held' | 'failed'
  commit: string | null
  seconds: number
  at: string
}

const noted: Pick<Played, 'seed' | 'steps' | 'on' | 'acts' | 'result'>[] =
  file !== undefined && existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line) => (line === '' ? [] : JSON.parse(line)))
    : []

/** What a storm does, in short: a seed means something else where this is another. */
function actsOf({ among = acts, lap = firstLap }: Pick<StormOptions, 'among' | 'lap'>): string {
  const said = JSON.stringify([among.map(({ name, weight = 1 }) => [name, weight]), lap])
  return createHash('sha256').update(said).digest('hex').slice(0, 8)
}

function commitOf(): string | null {
  try {
    const said = execFileSync('git', ['rev-parse', '--short=10', 'HEAD'], { cwd: root, stdio: 'pipe' })
    return said.toString().trim()
  } catch {
    return null
  }
}

const postgres = isAsked('icu') || isAsked('c') ? await privatePostgres() : undefined

async function privatePostgres(): Promise<PrivatePostgres> {
  const started = await startPostgres()
  if ('why' in started) throw new Error(started.why)
  return started
}

/** What a storm is on a kind of database. */
function optionsOn(kind: Kind): Pick<StormOptions, 'open' | 'among' | 'lap'> {
  if (kind === 'embedded') return { open: () => embeddedWorld() }
  const main = builtProgram('main')
  const open = () => processesWorld(postgres?.url ?? '', kind, main)
  return { open, among: [...acts, ...killing], lap: [...firstLap, ...killingLap] }
}

const commit = commitOf()
let failed = 0
for (let one = seed; one < seed + seeds; one++)
  for (const kind of kinds.filter(isAsked)) {
    const name = `seed ${one}, ${steps} steps, ${kind}`
    const options = optionsOn(kind)
    const played = { seed: one, steps, on: kind, acts: actsOf(options), result: 'held' } as const
    if (noted.some((line) => isDeepStrictEqual({ ...line, ...played }, line))) continue
    const began = performance.now()
    const note = (result: Played['result']): number => {
      const seconds = Math.round((performance.now() - began) / 1000)
      const line: Played = { ...played, result, commit, seconds, at: new Date().toISOString() }
      if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`)
      return seconds
    }
    const replayed = {
      ...(values.path !== undefined && { path: values.path }),
      ...(values['replay-path'] !== undefined && { replayPath: values['replay-path'] }),
    }
    try {
      const tally = await playStorm(one, { steps, ...options, ...replayed })
      const [taken, succeeded] = (['taken', 'succeeded'] as const).map((what) =>
        Object.values(tally).reduce((sum, counts) => sum + counts[what], 0),
      )
      console.log(`${name}: ${succeeded} of ${taken} succeeded (${note('held')} s)`)
    } catch (error) {
      failed++
      note('failed')
      console.log(`${name}: FAILED`)
      console.log(error)
    }
  }
if (postgres !== undefined) await postgres.stop()
process.exit(failed === 0 ? 0 : 1)
