import assert from 'node:assert/strict'
import { posix } from 'node:path'
import test from 'node:test'
import { filesOf, importsOf } from './project.ts'

const SOURCES = 'server/src/'

/** From the top layer to the bottom; '' is the files beside the folders. Source: server/README.md. */
const layers = [
  ['', 'cli', 'sample', 'testing'],
  ['ops', 'pages', 'mqtt', 'box-audit'],
  [
    'accounts',
    'catalogue',
    'boxes',
    'orders',
    'ingestion',
    'devices',
    'excursions',
    'field',
    'anchoring',
    'site',
  ],
  ['mail', 'files', 'images', 'chain', 'geocode', 'payments'],
  ['audit', 'identity', 'http', 'jobs', 'db', 'secrets', 'config'],
]
const layerOf = (folder: string): number => layers.findIndex((folders) => folders.includes(folder))

const isProduction = (file: string): boolean => !/\.test\.ts$|\/testing\//.test(file)
/** The folder of a file in `server/src`; '' for the files beside the folders. */
const folderOf = (file: string): string => /^server\/src\/([^/]+)\//.exec(file)?.[1] ?? ''

type Arrow = { from: string; to: string; said: string }

/** Every import of a file of the server by a file of another of its folders. */
const arrows: Arrow[] = filesOf(`${SOURCES}**/*.ts`)
  .filter(isProduction)
  .flatMap(importsOf)
  .flatMap(({ file, from }) => {
    const target = from.startsWith('#server/')
      ? posix.join(SOURCES, from.slice('#server/'.length))
      : posix.join(posix.dirname(file), from)
    const isOurs = /^[.#]/.test(from) && target.startsWith(SOURCES)
    const [here, there] = [folderOf(file), folderOf(target)]
    return isOurs && here !== there ? [{ from: here, to: there, said: `${file} imports ${target}` }] : []
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
