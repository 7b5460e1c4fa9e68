/** Input that is not what the protocol says it is. `path` names the place, like `$.records[3].salt`. */
export class FormatError extends Error {
  readonly path: string
  readonly reason: string

  constructor(path: string, reason: string) {
    super(`${path}: ${reason}`)
    this.name = 'FormatError'
    this.path = path
    this.reason = reason
  }
}

/** What `parse` makes of a value, or what is wrong with it. Getters and proxies of a hostile object may throw anything. */
export function parsedOr<T>(parse: (value: unknown) => T, value: unknown): T | FormatError {
  try {
    return parse(value)
  } catch (cause) {
    return cause instanceof FormatError ? cause : new FormatError('$', 'could not be read')
  }
}
