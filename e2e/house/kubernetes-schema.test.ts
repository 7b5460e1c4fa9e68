import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { parse, parseAllDocuments } from 'yaml'
import { filesOf, root, textOf } from './project.ts'

/*
 * Manifests against the types of the API of Kubernetes, by the compiler: an object that is written out may have no field that
 * its type lacks, at any depth, which is how a server refuses it that validates strictly.
 */
type Manifest = { apiVersion?: string; kind?: string; [field: string]: unknown }

const TYPES = join(root, 'node_modules/kubernetes-types')
const KUSTOMIZATION = 'deploy/kubernetes/kustomization.yaml'

const manifests: Manifest[] = filesOf('deploy/kubernetes/*.yaml')
  .filter((file) => file !== KUSTOMIZATION)
  .flatMap((file) => parseAllDocuments(textOf(file)).map((one) => one.toJS() as Manifest))

/** Where the types of a version of the API are: `networking.k8s.io/v1` in networking/v1, `v1` in core/v1. */
function typesOf(apiVersion: string): string {
  const [version = '', group = 'core'] = apiVersion.split('/').reverse()
  const path = join(TYPES, group.split('.')[0] ?? '', version)
  assert.ok(existsSync(`${path}.d.ts`), `${apiVersion} is a version of the API`)
  return path
}

/** What the compiler finds wrong. */
function problemsOf(objects: readonly Manifest[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'befaqt-manifests-'))
  try {
    const lines = objects.map(({ apiVersion = '', kind = '', ...rest }, i) => {
      const type = `import(${JSON.stringify(typesOf(apiVersion))}).${kind}`
      return `export const object${i}: ${type} = ${JSON.stringify({ apiVersion, kind, ...rest }, null, 1)}`
    })
    const file = join(folder, 'manifests.ts')
    writeFileSync(file, lines.join('\n'))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const flags = ['--noEmit', '--strict', '--skipLibCheck']
    const resolve = ['--module', 'esnext', '--moduleResolution', 'bundler']
    const run = spawnSync(process.execPath, [tsc, ...flags, ...resolve, file], {
      cwd: folder,
      encoding: 'utf8',
    })
    assert.equal(run.stderr, '')
    assert.equal(run.status === 0, run.stdout === '', run.stdout)
    return run.stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The manifest of this kind and name, changed. */
function changed(kind: string, name: string, change: (text: string) => string): Manifest {
  const found = manifests.find(
    (one) => one.kind === kind && (one.metadata as { name?: string } | undefined)?.name === name,
  )
  const text = JSON.stringify(found)
  assert.notEqual(change(text), text, 'something was changed')
  return JSON.parse(change(text))
}

test('every manifest is what the API of Kubernetes takes', () => {
  assert.ok(manifests.length >= 9, `${manifests.length}`)
  assert.equal(problemsOf(manifests), '')
  const { apiVersion, kind, resources, ...more } = parse(textOf(KUSTOMIZATION))
  assert.deepEqual([apiVersion, kind, more], ['kustomize.config.k8s.io/v1beta1', 'Kustomization', {}])
  assert.ok(Array.isArray(resources))
})

test('a misspelt field, a value of another type, and a field that is missing are found, however deep', () => {
  const web = (from: string, to: string) =>
    problemsOf([changed('Deployment', 'befaqt-web', (text) => text.replace(from, to))])
  assert.match(
    web('"readinessProbe"', '"readynessProbe"'),
    /'"?readynessProbe"?' does not exist in type 'Container'/,
  )
  assert.match(web('"runAsNonRoot"', '"runAsNonroot"'), /'"?runAsNonroot"?' does not exist/)
  assert.match(web('"replicas":2', '"replicas":"2"'), /Type 'string' is not assignable to type 'number'/)
  assert.match(web('"selector":{"matchLabels"', '"select":{"matchLabels"'), /'"?select"?' does not exist/)
  assert.match(
    web(',"selector":{"matchLabels":{"app":"befaqt","part":"web"}},', ','),
    /'selector' is missing/,
  )
  const unquoted = changed('ConfigMap', 'befaqt', (text) => text.replace('"DRAIN_S":"10"', '"DRAIN_S":10'))
  assert.match(problemsOf([unquoted]), /Type 'number' is not assignable to type 'string'/)
  const kind = changed('Service', 'befaqt', (text) => text.replace('"kind":"Service"', '"kind":"Servise"'))
  assert.match(problemsOf([kind]), /has no exported member (named )?'Servise'/)
  assert.throws(() => problemsOf([{ ...kind, apiVersion: 'apps/v7' }]), /apps\/v7 is a version of the API/)
})
