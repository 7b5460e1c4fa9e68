/** A product may take so many grams from a box; Infinity: as many as the box has. */
export type Share = { product: string; box: string; most: number }

type Use = { most: number; used: number }
type Step = { product: string; box: string }

/**
 * What products get of boxes that several of them come from, in grams: a box gives no more than it has, whichever of its
 * products take it, and what one of them wants may come from another box as long as that has enough for all. It is a flow
 * from products to boxes (Ford and Fulkerson), along the shortest ways (Edmonds and Karp), in whole grams.
 */
export class SharedBoxes {
  readonly #left: ReadonlyMap<string, number>
  readonly #shares: ReadonlyMap<string, readonly Share[]>
  readonly #products: ReadonlyMap<string, readonly string[]>

  /** @param left grams that each box may still give */
  constructor(left: ReadonlyMap<string, number>, shares: readonly Share[]) {
    this.#left = left
    this.#shares = Map.groupBy(shares, ({ product }) => product)
    this.#products = new Map(
      [...Map.groupBy(shares, ({ box }) => box)].map(([box, of]) => [box, of.map(({ product }) => product)]),
    )
  }

  /** The products that what this one takes may be missing to, itself among them. */
  near(product: string): string[] {
    const found = new Set([product])
    for (const one of found)
      for (const { box } of this.#shares.get(one) ?? [])
        for (const other of this.#products.get(box) ?? []) found.add(other)
    return [...found]
  }

  /**
   * The most of each of these products that there is, when others get what they want, or as much of it as there is.
   * @param wanted grams by product, their own among them
   */
  roomsOf(products: readonly string[], wanted: ReadonlyMap<string, number>): Map<string, number> {
    const rooms = new Map<string, number>()
    const asked = new Set(products)
    while (asked.size > 0) {
      const [first = ''] = asked
      const near = this.near(first).sort()
      const shares = near.flatMap((product) => this.#shares.get(product) ?? [])
      const flow = new Flow(this.#left, shares)
      for (const product of near) flow.take(product, wanted.get(product) ?? 0)
      for (const product of near) {
        if (!asked.delete(product)) continue
        const more = flow.copy()
        more.take(product, Number.POSITIVE_INFINITY)
        rooms.set(product, more.of(product))
      }
    }
    return rooms
  }
}

class Flow {
  readonly #left: ReadonlyMap<string, number>
  readonly #products = new Map<string, string[]>()
  readonly #uses = new Map<string, Map<string, Use>>()
  readonly #given = new Map<string, number>()

  constructor(left: ReadonlyMap<string, number>, shares: readonly (Share & { used?: number })[]) {
    this.#left = left
    for (const { product, box, most, used = 0 } of shares) {
      const uses = this.#uses.get(product) ?? new Map<string, Use>()
      this.#uses.set(product, uses.set(box, { most, used }))
      const products = this.#products.get(box)
      if (products === undefined) this.#products.set(box, [product])
      else products.push(product)
      this.#given.set(box, this.#givenBy(box) + used)
    }
  }

  copy(): Flow {
    const shares = [...this.#uses].flatMap(([product, uses]) =>
      [...uses].map(([box, use]) => ({ product, box, ...use })),
    )
    return new Flow(this.#left, shares)
  }

  of(product: string): number {
    return [...(this.#uses.get(product)?.values() ?? [])].reduce((sum, { used }) => sum + used, 0)
  }

  /** Gives a product so much more, or as much of it as there is; what others have stays as much, from whichever box. */
  take(product: string, grams: number): void {
    let open = grams
    while (open > 0) {
      const way = this.#wayFrom(product)
      if (way === undefined) return
      const step = Math.min(open, this.#roomAlong(way))
      for (const [i, { product: taker, box }] of way.entries()) {
        const next = way[i + 1]
        this.#use(taker, box).used += step
        if (next !== undefined) this.#use(next.product, box).used -= step
        else this.#given.set(box, this.#givenBy(box) + step)
      }
      if (step === Number.POSITIVE_INFINITY) return
      open -= step
    }
  }

  /** Boxes to take from, one product giving way to the one before it, up to a box that has something left. */
  #wayFrom(start: string): Step[] | undefined {
    const cameBy = new Map<string, Step>() // by box: who takes it
    const gaveWay = new Map<string, string>([[start, '']]) // by product: the box that it leaves
    for (const [product] of gaveWay)
      for (const [box, { most, used }] of this.#uses.get(product) ?? []) {
        if (used >= most || cameBy.has(box)) continue
        cameBy.set(box, { product, box })
        if (this.#givenBy(box) < (this.#left.get(box) ?? 0)) return backFrom(box, cameBy, gaveWay)
        for (const other of this.#products.get(box) ?? [])
          if (!gaveWay.has(other) && this.#use(other, box).used > 0) gaveWay.set(other, box)
      }
    return undefined
  }

  #roomAlong(way: readonly Step[]): number {
    return Math.min(
      ...way.map(({ product, box }, i) => {
        const next = way[i + 1]
        const { most, used } = this.#use(product, box)
        const free =
          next === undefined
            ? (this.#left.get(box) ?? 0) - this.#givenBy(box)
            : this.#use(next.product, box).used
        return Math.min(most - used, free)
      }),
    )
  }

  #givenBy(box: string): number {
    return this.#given.get(box) ?? 0
  }

  #use(product: string, box: string): Use {
    const use = this.#uses.get(product)?.get(box)
    if (use === undefined) throw new Error('a product takes from its own boxes')
    return use
  }
}

function backFrom(
  end: string,
  cameBy: ReadonlyMap<string, Step>,
  gaveWay: ReadonlyMap<string, string>,
): Step[] {
  const way: Step[] = []
  for (let box = end; box !== ''; ) {
    const step = cameBy.get(box)
    if (step === undefined) throw new Error('a way begins at a product')
    way.unshift(step)
    box = gaveWay.get(step.product) ?? ''
  }
  return way
}
