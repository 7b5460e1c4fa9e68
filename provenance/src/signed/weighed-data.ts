import { canonicalize, type JsonObject } from '../canonical.ts'
import { unhexed } from '../digest.ts'
import { FormatError } from '../format-error.ts'
import { fields, matching } from '../validate.ts'
import { readCoseWeighing, type Weighing } from './cose-weighing.ts'

/**
 * The data of the record of a weight that a scale signed. The signed bytes are its member `weighed` and not `signed`, which
 * verifiers from before take for that of a reading: they pass this over and read the weight.
 * @param bytes the statement as it came, in hex
 */
export const weighedData = (
  { of, grams, scale, key }: Weighing,
  bytes: string,
): { of: Weighing['of']; grams: number; scale: string; weighed: JsonObject } => ({
  of,
  grams,
  scale,
  weighed: { form: 'cose', key, bytes },
})

/** What the scale signed that the record of a weight names, where the record says exactly the same. @throws FormatError */
export function weighingIn(data: JsonObject): Weighing {
  const from = fields(data.weighed, '$.weighed', ['form', 'key', 'bytes'])
  const bytes = matching(from, 'bytes', /^([0-9a-f]{2})+$/, 'bytes in lower-case hex')
  const weighing = readCoseWeighing(unhexed(bytes))
  if (canonicalize(data) !== canonicalize(weighedData(weighing, bytes)))
    throw new FormatError('$', 'differs from what was signed')
  return weighing
}
