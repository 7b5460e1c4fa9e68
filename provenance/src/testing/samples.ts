import type { ProofBundle } from '../bundle.ts'
import { isWithheld } from '../bundle-parts.ts'
import { toHex } from '../digest.ts'
import type { LedgerReader } from '../ledger.ts'
import { type RecordKind, recordHash, recordKinds } from '../record.ts'
import { type Chance, World } from './world.ts'

/** A true bundle, the true one of another box in the same world, and the ledger that holds both. */
export interface Sample {
  readonly bundle: ProofBundle
  readonly neighbour: ProofBundle
  readonly ledger: LedgerReader
}

const data = (chance: Chance) => ({
  temperature: chance(400) / 100 - 1,
  place: { latitude: -33.5 + chance(1000) / 1e4, longitude: 151 + chance(1000) / 1e4 },
  note: ['caf\u00e9', '\u{1f41f}', 'line\nbreak', ''][chance(4)] ?? '',
  list: [chance(9), null, true, [1e21, 1e-7]],
})

/** A world of `boxes` boxes that grow through `rounds` anchors; some are sealed on the way. Everything is anchored. */
export function randomWorld(chance: Chance, boxes: number, rounds: number): World {
  const world = new World()
  const names = Array.from(
    { length: boxes },
    (_, i) => ['', '\u{1f41f}', '\ufffd', 'box '][chance(4)] + String(7 * i),
  )
  for (const name of names) grow(world, name, 'registration', chance)
  for (let round = 0; round < rounds; round++) {
    for (const name of names) if (chance(3) === 0) growOn(world, name, chance)
    world.anchor()
  }
  return world
}

function growOn(world: World, box: string, chance: Chance): void {
  if (world.histories.get(box)?.at(-1)?.kind === 'seal') return
  const kinds = recordKinds.filter((kind) => kind !== 'seal')
  for (let more = chance(3); more >= 0; more--)
    grow(world, box, kinds[chance(kinds.length)] ?? 'tracking', chance)
  if (chance(8) === 0) grow(world, box, 'seal', chance)
}

function grow(world: World, box: string, kind: RecordKind, chance: Chance): void {
  world.append(
    box,
    kind,
    data(chance),
    chance(4) === 0
      ? chance(2 ** 30)
          .toString(16)
          .padStart(64, '0')
      : undefined,
  )
}

/** Samples of every kind: small and large trees, short and long histories, sealed boxes, withheld records. */
export function randomSamples(chance: Chance, worlds: number): Sample[] {
  return Array.from({ length: worlds }, () => randomWorld(chance, 2 + chance(60), 1 + chance(6))).flatMap(
    (world) => {
      const names = [...world.histories.keys()]
      const ledger = world.ledger()
      return [0, 1, 2].map((turn) => {
        const at = chance(names.length)
        const bundle = world.bundleOf(names[at] ?? '')
        const neighbour = world.bundleOf(names[(at + 1 + chance(names.length - 1)) % names.length] ?? '')
        return { bundle: turn === 2 ? withheldIn(bundle, chance) : bundle, neighbour, ledger }
      })
    },
  )
}

/** The same history with the content of one record erased. */
export function withheldIn(bundle: ProofBundle, chance: Chance): ProofBundle {
  const at = chance(bundle.records.length)
  const record = bundle.records[at]
  if (record === undefined || isWithheld(record)) return bundle
  const erased = { seq: record.seq, recordHash: toHex(recordHash(record)), withheld: true } as const
  return { ...bundle, records: bundle.records.with(at, erased) }
}
