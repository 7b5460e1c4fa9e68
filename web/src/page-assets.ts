import manifest from 'virtual:client-manifest'
import { deskRoutes } from './desk-routes.ts'
import { screenFile } from './route-screens.ts'

/** Files that a page wants, as URLs under /assets/. `start` fetches `entry` and `modules` in its own time. */
export type PageAssets = {
  start: string
  entry: string
  modules: string[]
  styles: string[]
  fonts: string[]
}

const START = 'src/entry-start.ts'
const ENTRY = 'src/entry-client.tsx'
const DESK = 'src/desk.ts'
const urlPath = (file = '') => `/${file}`

/** The chunk and every chunk that it imports at once, itself first. */
function withImports(key: string, seen = new Set<string>()): Set<string> {
  if (seen.has(key) || !manifest[key]) return seen
  seen.add(key)
  for (const name of manifest[key].imports ?? []) withImports(name, seen)
  return seen
}

const entryKeys = withImports(ENTRY)
const fonts = [...entryKeys]
  .flatMap((key) => manifest[key]?.assets ?? [])
  .filter((file) => /-core-[^/]+\.woff2$/.test(file))
  .map(urlPath)

const known = new Map<string, PageAssets>()

const deskNames = new Set<string>(deskRoutes.map(([, name]) => name))

function collect(routeIds: readonly string[]): PageAssets {
  const files = routeIds.flatMap((id) => (deskNames.has(id) ? [DESK, screenFile(id)] : [screenFile(id)]))
  const keys = new Set([...entryKeys, ...files.flatMap((file) => [...withImports(file)])])
  const chunks = [...keys].flatMap((key) => manifest[key] ?? [])
  const entry = urlPath(manifest[ENTRY]?.file)
  const modules = chunks.map((chunk) => urlPath(chunk.file)).filter((file) => file !== entry)
  const styles = [...new Set(chunks.flatMap((chunk) => chunk.css ?? []))].map(urlPath)
  return { start: urlPath(manifest[START]?.file), entry, modules, styles, fonts }
}

/** What a page of these routes wants early: its script, the chunks behind it, styles and fonts. */
export function pageAssets(routeIds: readonly string[]): PageAssets {
  const key = routeIds.join(' ')
  const found = known.get(key) ?? collect(routeIds)
  known.set(key, found)
  return found
}
