/* Preloaded by all test files and by the programs of ours that they start, most of which live a few seconds. */
import { existsSync, readFileSync } from 'node:fs'
import module from 'node:module'
import v8 from 'node:v8'

/*
 * A quarter of what a start on the embedded database costs is to compile its WebAssembly a second time, for a speed that
 * pays off after minutes.
 */
v8.setFlagsFromString('--no-wasm-tier-up')
v8.setFlagsFromString('--no-wasm-dynamic-tiering')

/*
 * The server has some 1,500 modules with 7,000 imports among them. For each import Node 24 parses manifests of packages
 * again, asks the disk for files that are known by then, and leaves garbage: a third of the time that a test of the server
 * takes to start. Here a relative import of a whole file name is that file, and any other name means the same for all
 * modules of a package.
 */
/**
 * @typedef {{ folder: string, type?: string }} Package its folder, as a URL, and what its `.js` files are; undefined: not said
 * @type {Map<string, Package>}
 */
const packages = new Map()
/** @type {Map<string, module.ResolveFnOutput>} */
const others = new Map()
const madeCluster = new URL('../../server/src/testing/made-cluster.ts', import.meta.url).href
const project = new URL('../../', import.meta.url).href

/**
 * The package that the modules in a folder are of.
 * @param {string} folder
 * @returns {Package}
 */
function packageOf(folder) {
  const known = packages.get(folder)
  if (known !== undefined) return known
  const manifest = new URL('package.json', folder)
  const above = new URL('..', folder).href
  /** @type {Package} */
  let found = { folder }
  if (existsSync(manifest)) found = { folder, type: JSON.parse(readFileSync(manifest, 'utf8')).type }
  else if (above !== folder) found = packageOf(above)
  packages.set(folder, found)
  return found
}

/** @param {string} url */
const folderOf = (url) => url.slice(0, url.lastIndexOf('/') + 1)

/**
 * The format of a module; undefined: Node has to look.
 * @param {string} url
 */
function formatOf(url) {
  const { type } = packageOf(folderOf(url))
  if (type !== 'module') return undefined
  if (url.endsWith('.js')) return 'module'
  return url.endsWith('.ts') && process.features.typescript ? 'module-typescript' : undefined
}

// A test that starts npm starts it under the system's Node, which may be older than these hooks.
module.registerHooks?.({
  resolve: (specifier, context, next) => {
    const { parentURL, conditions, importAttributes } = context
    const isPlain = conditions.includes('import') && Object.keys(importAttributes ?? {}).length === 0
    if (!isPlain || !parentURL?.startsWith('file:')) return next(specifier, context)
    if (specifier.startsWith('.')) {
      const { href: url } = new URL(specifier, parentURL)
      const format = formatOf(url)
      return format === undefined ? next(specifier, context) : { url, format, shortCircuit: true }
    }
    const isOurs = parentURL.startsWith(project) && parentURL !== madeCluster
    if (specifier === '@electric-sql/pglite' && isOurs && process.features.typescript)
      return { url: madeCluster, format: 'module-typescript', shortCircuit: true }
    const name = `${packageOf(folderOf(parentURL)).folder} ${specifier}`
    const known = others.get(name)
    if (known !== undefined) return { ...known, shortCircuit: true }
    const found = next(specifier, context)
    others.set(name, found)
    return found
  },
})
