import { isPlainObject } from './canonical.ts'
import { MAX_ID_LENGTH } from './record.ts'

/** The format of bundles that this verifier reads. */
const FORMAT = 2

/**
 * The format of a proof that was written in another one, and the box that it names; undefined for everything else. Such
 * a proof is not broken: it can't be read here. Getters and proxies of a hostile object may throw anything.
 */
export function otherFormat(value: unknown): { format: number; box: string } | undefined {
  try {
    if (!isPlainObject(value) || !['records', 'other'].some((name) => Object.hasOwn(value, name)))
      return undefined
    const { v: format, box } = value
    const isOther = typeof format === 'number' && Number.isSafeInteger(format) && format > 0
    const hasBox = typeof box === 'string' && box.length > 0 && box.length <= MAX_ID_LENGTH
    return isOther && format !== FORMAT && hasBox ? { format, box } : undefined
  } catch {
    return undefined
  }
}

/** What such a format is, and who reads it. */
export const formatText = (format: number): string =>
  format < FORMAT
    ? `format ${format}, which verifiers read until 22 November 2026: download a new proof of the box and check that`
    : `format ${format}, which only newer verifiers read`
