/** What a scale says: whole grams, whether the weight has settled, and whether it is with the tare. */
export type ScaleReading = { grams: number; isStable: boolean; isGross: boolean }

const GRAMS_IN: Readonly<Record<string, number>> = { kg: 1_000, g: 1 }
/** Sign, number and unit, as scales write them: '+  1.234 kg', '-0.005kg', '  1234 g'. */
const WEIGHT = /([+-])?\s{0,20}(?<![\d.])(\d{1,7}(?:\.\d{1,4})?)\s{0,20}(kg|g)\b/i
/** Not settled: 'US,…' (A&D, CAS and others), 'S D …' (Mettler Toledo SICS), or a question mark. */
const UNSTABLE = /^\s*(?:US\b|S\s+D\b)|\?/i
/** Of overload, underload and errors. */
const NO_WEIGHT = /^\s*(?:OL|UL|E(?:RR)?\b|S\s+[I+-](?:\s|$))/i

/**
 * Reads a line of a scale that sends continuously. Null: it says no weight of a unit that we know, or that it can't
 * weigh. Fractions of a gram are rounded half up.
 */
export function scaleReading(line: string): ScaleReading | null {
  if (NO_WEIGHT.test(line)) return null
  const [, sign, digits = '', unit = ''] = WEIGHT.exec(line) ?? []
  const factor = GRAMS_IN[unit.toLowerCase()]
  if (factor === undefined) return null
  const grams = Math.round(Number(digits) * factor)
  return {
    grams: sign === '-' && grams > 0 ? -grams : grams,
    isStable: !UNSTABLE.test(line),
    isGross: /^\s*(?:ST|US)\s*,\s*GS\b/i.test(line),
  }
}

/** Longer than any line of a scale: what comes without an end is dropped. */
const MAX_LINE = 200

/** Splits what arrives into whole lines; `rest` is the beginning of the next one. */
export function scaleLines(before: string, arrived: string): { lines: string[]; rest: string } {
  const parts = (before + arrived).split(/[\r\n\u0002\u0003]+/)
  const rest = parts.pop() ?? ''
  return { lines: parts.filter((line) => line.trim() !== ''), rest: rest.length > MAX_LINE ? '' : rest }
}
