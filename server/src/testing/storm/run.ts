import fc from 'fast-check'
import { amending } from './amending.ts'
import { audit } from './audit.ts'
import { buying } from './buying.ts'
import { complaining } from './complaining.ts'
import { firstLap } from './first-lap.ts'
import { checkInvariants } from './invariants.ts'
import { managing } from './managing.ts'
import { Choice, type Model, newModel } from './model.ts'
import { offering } from './offering.ts'
import { paying } from './paying.ts'
import { people } from './people.ts'
import { shelving } from './shelving.ts'
import { type Act, Storm, type Tally } from './storm.ts'
import { tracing } from './tracing.ts'
import type { World } from './world.ts'

const AUDIT_EVERY = 25
/** Numbers that a step chooses by. */
const NUMBERS = 5

/** `lookEvery`: after how many steps it is looked whether all holds. */
type Real = { storm: Storm; lookEvery: number }

/** One act with the numbers that it chooses by: a command of fast-check. */
class Step implements fc.AsyncCommand<Model, Real> {
  readonly act: Act
  readonly numbers: readonly number[]

  constructor(act: Act, numbers: readonly number[]) {
    this.act = act
    this.numbers = numbers
  }

  check(model: Readonly<Model>): boolean {
    return this.act.when?.(model) ?? true
  }

  async run(model: Model, { storm, lookEvery }: Real): Promise<void> {
    storm.log.push(`${this}`)
    const succeeded = await this.act.run(storm, model, new Choice(this.numbers))
    storm.count(this.act.name, succeeded)
    storm.steps++
    if (!succeeded) storm.log.push('  refused')
    if (storm.steps % lookEvery === 0) await checkInvariants(storm, model)
    if (storm.steps % (AUDIT_EVERY * Math.min(2, lookEvery)) === 0) await audit(storm, model)
  }

  toString(): string {
    return `${this.act.name} [${this.numbers.join(' ')}]`
  }
}

/** At least so many steps, however they are shortened when one fails: fast-check’s own begin at none. */
class LongEnough extends fc.Arbitrary<Iterable<fc.AsyncCommand<Model, Real>>> {
  readonly #steps: fc.Arbitrary<Iterable<fc.AsyncCommand<Model, Real>>>
  readonly #least: number

  constructor(steps: fc.Arbitrary<Iterable<fc.AsyncCommand<Model, Real>>>, least: number) {
    super()
    this.#steps = steps
    this.#least = least
  }

  generate(random: fc.Random): fc.Value<Iterable<fc.AsyncCommand<Model, Real>>> {
    for (;;) {
      const made = this.#steps.generate(random, undefined)
      if ([...made.value_].length >= this.#least) return made
    }
  }

  canShrinkWithoutContext(value: unknown): value is Iterable<fc.AsyncCommand<Model, Real>> {
    return this.#steps.canShrinkWithoutContext(value)
  }

  shrink(value: Iterable<fc.AsyncCommand<Model, Real>>, context: unknown) {
    return this.#steps.shrink(value, context)
  }
}

/** Everything that anybody does. */
export const acts: readonly Act[] = [
  ...buying,
  ...amending,
  ...offering,
  ...paying,
  ...managing,
  ...complaining,
  ...shelving,
  ...people,
  ...tracing,
]

export type StormOptions = {
  /** Steps by chance, at least; before them everything is done once (`first-lap.ts`). */
  steps: number
  open: () => Promise<World>
  /** What is done by chance. */
  among?: readonly Act[]
  /** After how many steps of the lap it is looked whether all holds, by chance after each. Above 1: audited half as often. */
  lookEvery?: number
  lap?: readonly (readonly [name: string, ...numbers: number[]])[]
  /** Of a failure that is played again: where it was found, and where it was shortened to. */
  path?: string
  replayPath?: string
  /** What is done in the shop when the storm is over. */
  then?: (storm: Storm, model: Model) => Promise<void>
  /** Seconds after which a failure is not shortened any further. */
  shortenS?: number
}

/**
 * Plays one storm from a seed. @returns how often each act was taken, and succeeded
 * @throws Error naming what did not hold, with the seed, the path and the steps that led there, as few as were found
 */
export async function playStorm(seed: number, options: StormOptions): Promise<Tally> {
  const { steps, open, among = acts, lap = firstLap, path, replayPath } = options
  const { then, shortenS = 600, lookEvery = 1 } = options
  const kinds = among.flatMap((act) => {
    // Fewer steps are worth another storm; smaller numbers are not.
    const numbers = fc.noShrink(fc.array(fc.nat(999), { minLength: NUMBERS, maxLength: NUMBERS }))
    const step = numbers.map((chosen) => new Step(act, chosen))
    return Array.from({ length: act.weight ?? 1 }, () => step)
  })
  const chance = fc.commands(kinds, {
    ...{ maxCommands: Math.ceil(steps * 1.3), size: 'max' as const },
    ...(replayPath !== undefined && { replayPath }),
  })
  let tally: Tally = {}
  let failedAt: number | undefined
  const property = fc.asyncProperty(new LongEnough(chance, steps), async (rest) => {
    if (failedAt !== undefined && performance.now() - failedAt > shortenS * 1_000) return
    await using world = await open()
    const storm = await Storm.begin(world)
    const real = { storm, lookEvery: 1 }
    const model = newModel()
    try {
      await playLap({ storm, lookEvery }, model, among, lap)
      await fc.asyncModelRun(() => ({ model, real }), rest)
      await audit(storm, model)
      if (failedAt === undefined) assertAllSucceed(storm.tally, among) // not of one that is shortened
      await then?.(storm, model)
    } catch (error) {
      failedAt ??= performance.now()
      throw new Error(`${error instanceof Error ? error.message : error}\n${storm.log.join('\n')}`, {
        cause: error,
      })
    }
    tally = storm.tally
  })
  await fc.assert(property, { seed, numRuns: 1, ...(path !== undefined && { path }) })
  return tally
}

/** Does everything once. */
async function playLap(
  real: Real,
  model: Model,
  among: readonly Act[] = acts,
  lap: StormOptions['lap'] = firstLap,
): Promise<void> {
  for (const [name, ...numbers] of lap) {
    const step = new Step(named(among, name), numbers.length === 0 ? [0] : numbers)
    if (!step.check(model)) throw new Error(`too early for: ${name}`)
    await step.run(model, real)
  }
}

/** A storm in which something never succeeds looks at nothing that follows from it. */
function assertAllSucceed(tally: Tally, among: readonly Act[]): void {
  const never = among.filter(({ name }) => (tally[name]?.succeeded ?? 0) === 0).map(({ name }) => name)
  if (never.length > 0) throw new Error(`never succeeded: ${never.join('; ')}`)
}

const named = (among: readonly Act[], name: string): Act => {
  const act = among.find((one) => one.name === name)
  if (act === undefined) throw new Error(`nobody does this: ${name}`)
  return act
}
