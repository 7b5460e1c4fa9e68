import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isWhole, newestBuild, noteBuild, removeOldBuilds, useBuild } from './build-folders.ts'
import { runQuietly } from './child.mjs'
import { withLock } from './lock.ts'
import { fromRoot, log, root, UserError } from './script.mjs'

/**
 * A build: `program` makes it from `sources`, and writes to the folder in the environment variable `into`. Each build
 * has a folder of its own in `built`, named after the hash of its sources, so that programs running from an older build
 * keep its files.
 */
type Build = { name: string; program: string; built: string; into: string; sources: string[] }

const shared = ['domain', 'provenance', 'contract/abi.ts', 'package-lock.json', 'tsconfig.base.json']

const pages: Build = {
  name: 'pages',
  program: 'web/build.ts',
  built: 'web/dist',
  into: 'WEB_DIST',
  sources: ['web', ...shared],
}

const server: Build = {
  name: 'server',
  program: 'server/build.ts',
  built: 'server/dist',
  into: 'SERVER_DIST',
  sources: ['server/src', 'server/build.ts', 'server/package.json', ...shared],
}

/**
 * Builds the pages, for the browser and for server rendering, if their sources have changed.
 * @param user process during whose life the build is not removed
 * @returns the folder of the build @throws UserError with the output of the build
 */
export const buildPages = (user = process.pid): Promise<string> => build(pages, user)

/** Builds the server's programs, like `buildPages`. */
export const buildServer = (user = process.pid): Promise<string> => build(server, user)

async function build(what: Build, user: number): Promise<string> {
  const folder = fromRoot(what.built)
  const fresh = freshBuild(folder, nameOf(what), user)
  if (fresh !== undefined) return fresh
  return withLock(what.name, async () => {
    const name = nameOf(what)
    const meanwhile = freshBuild(folder, name, user)
    if (meanwhile !== undefined) return meanwhile
    log(`building the ${what.name}`)
    const target = join(folder, name)
    rmSync(target, { recursive: true, force: true })
    const env = { ...process.env, [what.into]: target }
    const { status, output } = await runQuietly(process.execPath, [what.program], { cwd: root, env })
    if (status !== 0) {
      rmSync(target, { recursive: true, force: true })
      throw new UserError(
        `The ${what.name} could not be built (status ${status}). The build said:\n${output}`,
      )
    }
    useBuild(target, user)
    noteBuild(folder, name)
    removeOldBuilds(folder)
    return target
  })
}

/** The existing build of this name, which becomes the newest; undefined: it must be built. */
function freshBuild(folder: string, name: string, user: number): string | undefined {
  const found = join(folder, name)
  if (!isWhole(found)) return undefined
  useBuild(found, user)
  if (newestBuild(folder) !== found) noteBuild(folder, name)
  return found
}

/** A prefix of the hash of its sources. */
function nameOf({ sources }: Build): string {
  const hash = createHash('sha256')
  for (const file of sources.flatMap(filesIn).sort())
    hash.update(`${file}\n`).update(readFileSync(fromRoot(file)))
  return hash.digest('hex').slice(0, 16)
}

/** Source files of a build in a folder of the project, or a single file; paths are relative to the project. */
function filesIn(path: string): string[] {
  if (!existsSync(fromRoot(path))) return []
  if (statSync(fromRoot(path)).isFile()) return [path]
  return readdirSync(fromRoot(path), { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return notSources.has(entry.name) ? [] : filesIn(`${path}/${entry.name}`)
    return entry.isFile() && !/\.test\.tsx?$/.test(entry.name) ? [`${path}/${entry.name}`] : []
  })
}

const notSources = new Set(['node_modules', 'dist'])
