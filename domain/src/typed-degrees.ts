/**
 * Parses a temperature typed into a form, where a comma can only be a decimal one. Any other value is returned
 * unchanged, for a schema to reject.
 */
export function parseDegrees(value: unknown): unknown {
  const text = typeof value === 'string' ? value.trim().replace(',', '.').replace('−', '-') : ''
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : value
}
