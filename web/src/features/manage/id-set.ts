type Ids = ReadonlySet<string>

/** The ids with these besides. */
export const withIds = (ids: Ids, more: readonly string[]): Ids => new Set([...ids, ...more])

/** The ids without these. */
export const withoutIds = (ids: Ids, gone: readonly string[]): Ids =>
  new Set([...ids].filter((id) => !gone.includes(id)))
