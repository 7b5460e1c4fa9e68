import type { BoxRecord } from '@befaqt/provenance'
import { kg } from '@befaqt/provenance/balance-messages'

/** A weight that a record states, in words. */
export type WeightRow = {
  readonly seq: number
  readonly at: string
  /** As '38.205 kg'; empty where the record holds none. */
  readonly amount: string
  /** What of, who weighed, and who typed or sent it. */
  readonly said: string
  /** Does it name what a scale signed? */
  readonly isSigned: boolean
}

/** The weights that a box's records state, the newest first. @param makers names of who recorded, as managers call them */
export const weightRows = (
  records: readonly BoxRecord[],
  makers: Readonly<Record<string, string>>,
): WeightRow[] =>
  records
    .filter(({ kind }) => kind === 'weight')
    .toReversed()
    .map(({ seq, at, by, data }) => ({
      ...{ seq, at, isSigned: Object(data.weighed) === data.weighed },
      amount: typeof data.grams === 'number' ? `${kg(data.grams)} kg` : '',
      said: `${data.of === 'catch' ? 'as it was caught' : 'as it was boxed'}, ${weigherText(data, makers[by] || by)}`,
    }))

/** What the record of a weight says of who weighed. */
function weigherText({ scale, weighed }: BoxRecord['data'], maker: string): string {
  const name = typeof scale === 'string' ? scale : ''
  const key: unknown = Object(weighed).key
  if (typeof key === 'string')
    return `signed by the scale ${name} with the key ${key.slice(0, 8)}, sent by ${maker}`
  return name === '' ? `typed by ${maker}` : `of “${name}”, typed by ${maker}`
}
