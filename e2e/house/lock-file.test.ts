import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

type Package = {
  integrity?: string
  link?: true
  optional?: true
  os?: string[]
  optionalDependencies?: Record<string, string>
}
const read = (file: string): Record<string, Package> =>
  JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')).packages
const packages = read('package-lock.json')
const installed = (path: string): boolean => path.includes('node_modules/')

test('every package for Linux, and Node itself, has an integrity hash in the lock file', () => {
  const unchecked = Object.entries({ ...packages, ...read('tools/node/package-lock.json') }).filter(
    ([path, { integrity, link, optional, os }]) =>
      installed(path) && !link && !integrity && !(optional && os !== undefined && !os.includes('linux')),
  )
  // Other processors and the other C library: the registry that the file was made with does not serve them.
  const ofOtherLinux = /-linux-(arm64|arm|ppc64|riscv64|s390x)(-|$)|-musl|wasm32/
  assert.deepEqual(
    unchecked.map(([path]) => path).filter((path) => !ofOtherLinux.test(path)),
    [],
  )
})

test('the lock file has the optional packages of every platform, without which npm ci fails', () => {
  const isFound = (folder: string, name: string): boolean => {
    for (let at = folder; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
      if (`${at === '' ? '' : `${at}/`}node_modules/${name}` in packages) return true
      if (at === '') return false
    }
  }
  const missing = Object.entries(packages).flatMap(([folder, { optionalDependencies }]) =>
    Object.keys(optionalDependencies ?? {})
      .filter((name) => !isFound(folder, name))
      .map((name) => `${name} of ${folder}`),
  )
  assert.deepEqual(missing, [])
})
