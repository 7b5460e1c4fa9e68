import { posix } from 'node:path'
import { filesOf, importsOf } from './project.ts'

/** Workspaces whose folders are drawn in docs/folders.md and hold no circles. */
export const drawn = ['server', 'web', 'domain', 'provenance'] as const
export type Drawn = (typeof drawn)[number]

/** One thing that uses another: two files or two folders. */
export type Arrow = { from: string; to: string }

const isProduction = (file: string): boolean => !/\.test\.tsx?$|\/testing\//.test(file)

/** What a specifier in a file of our own leads to; undefined for packages. */
function target(file: string, from: string): string | undefined {
  if (from.startsWith('.')) return posix.join(posix.dirname(file), from)
  const inside = /^#(server|web)\/(.+)$/.exec(from)
  return inside ? `${inside[1]}/src/${inside[2]}` : undefined
}

/**
 * Every import of a production file of a workspace by another, lazily loaded ones too.
 * @param withTypes also those of types alone, which are gone when the files are loaded
 */
export function importsBetweenFiles(workspace: Drawn, withTypes: boolean): Arrow[] {
  const files = filesOf(`${workspace}/src/**/*.{ts,tsx}`).filter(isProduction)
  const known = new Set(files)
  return files
    .flatMap(importsOf)
    .filter(({ ofTypes }) => withTypes || !ofTypes)
    .map(({ file, from }) => ({ from: file, to: target(file, from) ?? '' }))
    .filter(({ to }) => known.has(to))
}

/**
 * The same between the folders that lie beside each other, at every depth: `boxes` and `orders`, and within `boxes`
 * `boxes/records` and `boxes/projection`. Files beside those folders are of none of them.
 */
export function importsBetweenFolders(workspace: Drawn): Arrow[] {
  const arrows = importsBetweenFiles(workspace, true).flatMap(({ from, to }) => {
    const [here, there] = [from, to].map((file) => posix.dirname(file).split('/').slice(2)) as [
      string[],
      string[],
    ]
    const apart = here.findIndex((name, i) => name !== there[i])
    if (apart < 0 || there[apart] === undefined) return []
    const at = (path: string[]): string => path.slice(0, apart + 1).join('/')
    return [{ from: at(here), to: at(there) }]
  })
  return [...new Map(arrows.map((arrow) => [`${arrow.from} ${arrow.to}`, arrow])).values()]
}

/** Who can be reached from each, by one arrow or several. */
function reach(arrows: readonly Arrow[]): (from: string, to: string) => boolean {
  const next = Map.groupBy(arrows, ({ from }) => from)
  const known = new Map<string, Set<string>>()
  const all = (start: string): Set<string> => {
    const found = known.get(start) ?? new Set<string>()
    if (known.has(start)) return found
    known.set(start, found)
    const open = [start]
    for (let one = open.pop(); one !== undefined; one = open.pop())
      for (const { to } of next.get(one) ?? [])
        if (!found.has(to)) {
          found.add(to)
          open.push(to)
        }
    return found
  }
  return (from, to) => all(from).has(to)
}

/** The groups whose members all reach each other, each sorted: none in a graph without circles. */
export function circlesIn(arrows: readonly Arrow[]): string[][] {
  const reaches = reach(arrows)
  const names = [...new Set(arrows.map(({ from }) => from))].sort()
  const inCircle = names.filter((name) => reaches(name, name))
  const circles = Map.groupBy(inCircle, (name) =>
    inCircle.filter((other) => reaches(name, other) && reaches(other, name)).join(' '),
  )
  return [...circles.values()]
}

/** The arrows that no way over another folder replaces: what is drawn of a graph without circles. */
export function shortest(arrows: readonly Arrow[]): Arrow[] {
  const reaches = reach(arrows)
  return arrows.filter(
    ({ from, to }) =>
      !arrows.some((other) => other.from === from && other.to !== to && reaches(other.to, to)),
  )
}
