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
