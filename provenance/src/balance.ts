import {
  type AmountKind,
  hasBadAmount,
  isAmountKind,
  readStated,
  type Stated,
  type Weight,
} from './amounts.ts'
import { balanceMessage, balanceReasons } from './balance-messages.ts'
import { isWithheld, type ShownHistory } from './bundle-parts.ts'
import { FormatError } from './format-error.ts'
import { roughSeconds } from './lateness.ts'
import type { RecordOfAnyKind } from './record.ts'
import type { Balance, BalanceReason, BoxResult, Reason } from './verdict.ts'

/** What the weights of a history come to, and why it contradicts itself, each way once, with the first record. */
export interface Weighed {
  readonly balance: Balance
  /** The record that states the total, as it is; null: none does, or what it states was corrected. */
  readonly by: number | null
  readonly problems: readonly { readonly code: BalanceReason; readonly seq: number }[]
}

/**
 * Adds up what the records of a box state of its weight, in the order of the history: a correction counts from its own
 * place on. What contradicts itself is named; without a weight nothing but amounts that no box can hold.
 * Source: protocol §6.9.
 */
export function weigh({ records }: Pick<ShownHistory, 'records'>): Weighed {
  const tally = new Tally()
  for (const record of records) tally.add(record)
  return tally.sum()
}

/** A result with what its weights come to: where they contradict each other, the box is broken. */
export function withBalance(result: BoxResult, { balance: figures, by, problems }: Weighed): BoxResult {
  const { signature } = result.records.find(({ seq }) => seq === by) ?? {}
  const balance =
    signature === undefined ? figures : { ...figures, signature, words: balanceMessage(figures, signature) }
  if (problems.length === 0) return result.verdict === 'unreachable' ? result : { ...result, balance }
  const reasons = problems.map(({ code, seq }): Reason => ({ code, words: balanceReasons[code](seq), seq }))
  const words = 'The weights in this history contradict each other.'
  return { ...result, verdict: 'broken', words, reasons: [...reasons, ...result.reasons], balance }
}

const DAY_S = 86_400
/** The box may weigh so much more than the catch, by another scale. */
const SCALES_DIFFER_PERCENT = 2

/** Reads one record after the other. Every step takes the same time, however long the history. */
class Tally {
  /** What each record states; null: it can't be read. */
  readonly #stated = new Map<number, { kind: AmountKind; stated: Stated | null; isCorrected?: true }>()
  readonly #newest: { catch?: number; box?: number } = {}
  readonly #offers = new Map<string, number>()
  readonly #pieces = new Map<string, { sold: number; lost: number }>()
  readonly #problems = new Map<BalanceReason, number>()
  #sold = 0
  #returned = 0
  #lost = 0
  #withoutGrams = 0
  #unread = 0
  #withheld = 0
  #corrected = 0
  /** The first `sale`, and what had gone in by then. */
  #firstSale: { seq: number; total: number | null } | undefined
  #earliestSale: { seq: number; at: number } | undefined
  #firstCatch: { seq: number; at: number } | undefined

  add(record: ShownHistory['records'][number]): void {
    if (isWithheld(record)) {
      this.#withheld += 1
      return
    }
    const { kind, seq } = record
    if (kind === 'catch') this.#firstCatch ??= { seq, at: roughSeconds(record.at) }
    else if (kind === 'correction') this.#correct(record)
    else if (isAmountKind(kind)) this.#enter(record, kind)
  }

  #enter({ seq, data, at }: RecordOfAnyKind, kind: AmountKind): void {
    if (kind === 'sale') this.#firstSale ??= { seq, total: this.#weight()?.grams ?? null }
    const stated = this.#read(kind, data, seq)
    this.#stated.set(seq, { kind, stated })
    if (stated === null) this.#unread += 1
    else this.#count(stated, 1, seq)
    const when = roughSeconds(at)
    const isSold = stated?.kind === 'sale' && stated.returned !== true
    if (isSold && when < (this.#earliestSale?.at ?? Number.POSITIVE_INFINITY))
      this.#earliestSale = { seq, at: when }
    this.#compare(seq)
  }

  /** Takes the place of what it corrects, where it says the same of another amount. */
  #correct({ seq, data }: RecordOfAnyKind): void {
    const known = typeof data.corrects === 'number' ? this.#stated.get(data.corrects) : undefined
    if (known === undefined) return
    this.#corrected += 1
    const stated = this.#read(known.kind, data.data, seq)
    if (stated === null || (known.stated !== null && !isAboutSame(known.stated, stated))) {
      this.#unread += 1
      return
    }
    if (known.stated === null) this.#unread -= 1
    else this.#count(known.stated, -1, data.corrects as number)
    this.#count(stated, 1, data.corrects as number)
    known.stated = stated
    known.isCorrected = true
    this.#compare(seq)
  }

  #read(kind: AmountKind, data: unknown, seq: number): Stated | null {
    if (hasBadAmount(data)) this.#blame('amount_refused', seq)
    try {
      return readStated(kind, data)
    } catch (cause) {
      if (cause instanceof FormatError) return null
      throw cause
    }
  }

  #count(stated: Stated, sign: 1 | -1, seq: number): void {
    if (stated.kind === 'weight') this.#newest[stated.of] = Math.max(this.#newest[stated.of] ?? 0, seq)
    else if (stated.kind === 'offer')
      this.#offers.set(stated.product, Math.max(this.#offers.get(stated.product) ?? 0, seq))
    else {
      const { kind, product, grams = 0, pieces = 0 } = stated
      const isBack = kind === 'sale' && stated.returned === true
      if (kind === 'loss') this.#lost += sign * grams
      else if (isBack) this.#returned += sign * grams
      else this.#sold += sign * grams
      if (stated.grams === undefined) this.#withoutGrams += sign
      if (pieces === 0) return
      const sum = this.#pieces.get(product) ?? { sold: 0, lost: 0 }
      if (kind === 'loss') sum.lost += sign * pieces
      else sum.sold += sign * (isBack ? -pieces : pieces)
      this.#pieces.set(product, sum)
    }
  }

  /** The net weight that went in: the newest of the box, else of the catch. */
  #weight(): Weight | undefined {
    return this.#newestOf('box') ?? this.#newestOf('catch')
  }

  #newestOf(of: 'catch' | 'box'): Weight | undefined {
    const stated = this.#stated.get(this.#newest[of] ?? 0)?.stated
    return stated?.kind === 'weight' ? stated : undefined
  }

  #compare(seq: number): void {
    const total = this.#weight()?.grams
    if (total !== undefined && this.#sold - this.#returned + this.#lost > total) this.#blame('overdrawn', seq)
    const hidden = this.#withheld + this.#unread
    if (this.#returned > this.#sold && hidden === 0) this.#blame('returned_unsold', seq)
    const [caught, boxed] = [this.#newestOf('catch')?.grams, this.#newestOf('box')?.grams]
    if (caught === undefined || boxed === undefined) return
    if (boxed * 100 > caught * (100 + SCALES_DIFFER_PERCENT)) this.#blame('boxed_above_catch', seq)
  }

  #blame(code: BalanceReason, seq: number): void {
    if (!this.#problems.has(code)) this.#problems.set(code, seq)
  }

  sum(): Weighed {
    const weight = this.#weight()
    if (this.#firstCatch !== undefined) {
      if ((this.#firstSale?.seq ?? Number.POSITIVE_INFINITY) < this.#firstCatch.seq)
        this.#blame('sold_before_catch', this.#firstSale?.seq ?? 0)
      if ((this.#earliestSale?.at ?? Number.POSITIVE_INFINITY) < this.#firstCatch.at - DAY_S)
        this.#blame('sold_before_catch', this.#earliestSale?.seq ?? 0)
    }
    const problems = [...this.#problems]
      .map(([code, seq]) => ({ code, seq }))
      .filter(({ code }) => weight !== undefined || code === 'amount_refused')
    const figures = this.#figures(weight)
    const by = this.#newest.box ?? this.#newest.catch ?? 0
    return {
      balance: { ...figures, words: balanceMessage(figures) },
      by: weight === undefined || this.#stated.get(by)?.isCorrected ? null : by,
      problems,
    }
  }

  #figures(weight: Weight | undefined): Omit<Balance, 'words'> {
    const sold = this.#sold - this.#returned
    const total = weight?.grams ?? null
    const isPartly = this.#unread + this.#withheld + this.#withoutGrams > 0
    const soldAt = this.#firstSale
    const isRaised = soldAt !== undefined && total !== null && total > (soldAt.total ?? 0)
    return {
      state: total === null ? 'unweighed' : isPartly ? 'partly' : 'whole',
      total,
      of: weight?.of ?? null,
      scale: weight?.scale ?? null,
      caught: this.#newestOf('catch')?.grams ?? null,
      offered: this.#offered(),
      sold,
      lost: this.#lost,
      returned: this.#returned,
      left: total === null ? null : total - sold - this.#lost,
      raised: isRaised ? { from: soldAt.total } : null,
      corrected: this.#corrected,
      pieces: [...this.#pieces]
        .map(([product, amounts]) => ({ product, ...amounts }))
        .filter(({ sold, lost }) => sold !== 0 || lost !== 0),
    }
  }

  /** Grams of what is on sale; null: nothing is, or of a part it is not said. */
  #offered(): number | null {
    let sum: number | null = null
    for (const seq of this.#offers.values()) {
      const offer = this.#stated.get(seq)?.stated
      if (offer?.kind !== 'offer' || !offer.linked) continue
      if (offer.grams === undefined) return null
      sum = (sum ?? 0) + offer.grams
    }
    return sum
  }
}

/** Weights of a catch stay such, and offers those of a product: which is the newest never needs to be searched. */
const isAboutSame = (one: Stated, other: Stated): boolean =>
  one.kind === 'weight'
    ? other.kind === 'weight' && one.of === other.of
    : one.kind !== 'offer' || (other.kind === 'offer' && one.product === other.product)
