import { EMPTY, MapNodes, updateMap } from '../box-map.ts'
import type { BoxState } from '../leaf.ts'

/** What an auditor found that an honest map never shows. Source: protocol §6, Auditor. */
export interface Finding {
  /** Index of the anchor at which it shows. */
  readonly index: number
  readonly code:
    | 'count_fell'
    | 'changed_without_growth'
    | 'grown_after_seal'
    | 'vanished'
    | 'root_differs'
    | 'numbers_differ'
    | 'told_otherwise'
    | 'not_told'
    | 'rewritten'
  /** Absent where it is of no single box. */
  readonly box?: string
  readonly words: string
}

/** The map as the changes of an anchor make it. */
export interface Step {
  readonly root: string
  /** Boxes in it. */
  readonly boxes: number
  /** Records that are new, by the counts. */
  readonly records: number
  readonly findings: readonly Finding[]
  /** Goes on from this map. */
  accept(): void
}

/** The map of all boxes, followed by the changed leaves alone. */
export class FollowedMap {
  readonly #states = new Map<string, BoxState>()
  readonly #nodes = new MapNodes()
  #root = EMPTY

  /** @throws RangeError when two states are of one box */
  constructor(states: readonly BoxState[]) {
    this.follow(0, states).accept()
  }

  get root(): string {
    return this.#root
  }

  states(): BoxState[] {
    return [...this.#states.values()]
  }

  /** What the leaves that changed at an anchor make of the map, whatever they say. */
  follow(index: number, leaves: readonly BoxState[]): Step {
    const { root, removed } = updateMap(this.#nodes, this.#root, leaves)
    const formers = leaves.map(({ box }) => this.#states.get(box))
    return {
      root,
      boxes: this.#states.size + formers.filter((former) => former === undefined).length,
      records: leaves.reduce((sum, { count }, i) => sum + count - (formers[i]?.count ?? 0), 0),
      findings: leaves.flatMap((leaf, i) => findingOf(index, formers[i], leaf) ?? []),
      accept: () => {
        this.#nodes.drop(removed)
        this.#root = root
        for (const leaf of leaves) this.#states.set(leaf.box, leaf)
      },
    }
  }
}

function findingOf(index: number, former: BoxState | undefined, leaf: BoxState): Finding | undefined {
  if (former === undefined) return undefined
  const { box, count, head, sealed } = leaf
  const found = (code: Finding['code'], words: string): Finding => ({ index, code, box, words })
  if (count < former.count)
    return found('count_fell', `Box ${box} fell from ${former.count} records to ${count}.`)
  if (count === former.count && (head !== former.head || sealed !== former.sealed))
    return found('changed_without_growth', `Box ${box} changed and still has ${count} records.`)
  if (former.sealed && count > former.count)
    return found('grown_after_seal', `Box ${box} was closed at ${former.count} records and has ${count}.`)
  return undefined
}
