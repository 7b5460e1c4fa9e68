import assert from 'node:assert/strict'
import { posix } from 'node:path'
import test from 'node:test'
import { filesOf, type Import, importsOf } from './project.ts'

const SOURCES = 'server/src/'

/** From the top layer to the bottom; '' is the files beside the folders. Source: server/README.md. */
const layers = [
  ['', 'cli', 'sample', 'testing'],
  ['ops', 'desk', 'reports', 'pages', 'mqtt', 'box-audit', 'backup', 'doctor'],
  [
    'accounts',
    'catalogue',
    'boxes',
    'orders',
    'ingestion',
    'devices',
    'excursions',
    'field',
    'notices',
    'anchoring',
    'site',
  ],
  ['mail', 'cdn', 'files', 'images', 'chain', 'geocode', 'payments', 'webhooks'],
  ['audit', 'identity', 'http', 'jobs', 'db', 'secrets', 'config', 'tracing'],
]
/** Places in that list. */
const ENTRY_POINTS = 1
const FEATURES = 2
const layerOf = (folder: string): number => layers.findIndex((folders) => folders.includes(folder))

const isProduction = (file: string): boolean => !/\.test\.ts$|\/testing\//.test(file)
/** The folder of a file in `server/src`; '' for the files beside the folders. */
const folderOf = (file: string): string => /^server\/src\/([^/]+)\//.exec(file)?.[1] ?? ''

/** What leads to another folder of the server; undefined for packages and for its own folder. */
function targetOf({ file, from }: Import): string | undefined {
  const target = from.startsWith('#server/')
    ? posix.join(SOURCES, from.slice('#server/'.length))
    : posix.join(posix.dirname(file), from)
  const isOurs = /^[.#]/.test(from) && target.startsWith(SOURCES)
  return isOurs && folderOf(file) !== folderOf(target) ? target : undefined
}

type Arrow = { from: string; to: string; said: string }

const imports = filesOf(`${SOURCES}**/*.ts`).filter(isProduction).flatMap(importsOf)

/** Every import of a file of the server by a file of another of its folders. */
const arrows: Arrow[] = imports.flatMap((one) => {
  const target = targetOf(one)
  return target === undefined
    ? []
    : [{ from: folderOf(one.file), to: folderOf(target), said: `${one.file} imports ${target}` }]
})

test('every folder of the server is in a layer, and imports go down or stay in it', () => {
  const folders = filesOf(`${SOURCES}**/*.ts`).map(folderOf)
  assert.deepEqual([...new Set(folders)].sort(), layers.flat().sort())
  const upwards = arrows.filter(({ from, to }) => layerOf(to) < layerOf(from))
  assert.deepEqual(
    upwards.map(({ said }) => said),
    [],
  )
})

test('production code imports no test code', () => {
  assert.deepEqual(
    arrows.filter(({ to }) => to === 'testing').map(({ said }) => said),
    [],
  )
})

test('no folder imports the composition root', () => {
  assert.deepEqual(
    arrows.filter(({ to }) => to === '').map(({ said }) => said),
    [],
  )
})

/**
 * Does it reach past the index of a feature? The composition wires files of all; entry points take tables of operations,
 * which no other feature has a use for, from where they are.
 */
function isPastIndex(one: Import): boolean {
  const target = targetOf(one)
  if (target === undefined || layerOf(folderOf(one.file)) === 0) return false
  if (layerOf(folderOf(target)) !== FEATURES || target === `${SOURCES}${folderOf(target)}/index.ts`)
    return false
  const areOperations = one.names.length > 0 && one.names.every((name) => /(?:Operations|Reads)$/.test(name))
  return !(areOperations && layerOf(folderOf(one.file)) === ENTRY_POINTS)
}

test('of a feature others import what its index.ts exports, and entry points its tables of operations', () => {
  const past = imports.filter(isPastIndex)
  assert.deepEqual(
    past.map(({ file, from }) => `${file} imports ${from}`),
    [],
  )
})

test('an import past an index is found', () => {
  const from = (file: string, spec: string, ...names: string[]): boolean =>
    isPastIndex({ file: `${SOURCES}${file}`, from: spec, names, ofTypes: false })
  assert.ok(from('orders/slots.ts', '#server/boxes/box-access.ts', 'lockBox'))
  assert.ok(from('orders/slots.ts', '../boxes/routes.ts', 'boxOperations'))
  assert.ok(from('mqtt/device.ts', '#server/boxes/box-access.ts', 'lockBox'))
  assert.ok(!from('orders/slots.ts', '#server/boxes/index.ts', 'lockBox'))
  assert.ok(!from('ops/openapi.ts', '#server/boxes/routes.ts', 'boxOperations', 'boxReads'))
  assert.ok(!from('orders/slots.ts', '../db/client.ts', 'rows'))
  assert.ok(!from('cli/simulate.ts', '../boxes/box-access.ts', 'lockBox'))
})
