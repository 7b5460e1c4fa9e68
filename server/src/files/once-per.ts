/** Names that are remembered; beyond them the oldest is forgotten. */
const MOST_NAMES = 1_000

/** Answers true for a name at most once in `ms`: so that one damaged file or one store that is away fills no log. */
export function oncePer(ms: number, now: () => number = () => performance.now()): (name: string) => boolean {
  const told = new Map<string, number>()
  return (name) => {
    const last = told.get(name)
    if (last !== undefined && now() - last < ms) return false
    told.delete(name)
    told.set(name, now())
    const [oldest] = told.keys()
    if (told.size > MOST_NAMES && oldest !== undefined) told.delete(oldest)
    return true
  }
}
