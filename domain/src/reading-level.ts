/**
 * What a reading is worth by how it came, the best first: signed by the sensor itself, signed by a phone or gateway, sent
 * with a key, or neither; and a weight that its scale signed. Source: standards.md 'Signed readings'.
 */
export const readingLevels = ['sensor', 'gateway', 'key', 'typed', 'scale'] as const
export type ReadingLevel = (typeof readingLevels)[number]

/** What a record's data says of how the reading came; whether the signature holds is for a verifier to see. */
export function readingLevel({ signed, sent }: { signed?: unknown; sent?: unknown }): ReadingLevel {
  if (typeof signed === 'object' && signed !== null)
    return 'level' in signed && signed.level === 'sensor' ? 'sensor' : 'gateway'
  return sent === 'key' ? 'key' : 'typed'
}

/** The level of a record that has one. */
export function recordLevel(kind: string, data: Readonly<Record<string, unknown>>): { level?: ReadingLevel } {
  if (kind === 'tracking') return { level: readingLevel(data) }
  return kind === 'weight' && data.weighed ? { level: 'scale' } : {}
}
