import assert from 'node:assert/strict'
import test from 'node:test'
import { DRAWING, drawing } from './draw-folders.ts'
import {
  type Arrow,
  circlesIn,
  drawn,
  importsBetweenFiles,
  importsBetweenFolders,
  shortest,
} from './graph.ts'
import { textOf } from './project.ts'

const graph = (...pairs: string[]): Arrow[] =>
  pairs.map((pair) => ({ from: pair.charAt(0), to: pair.charAt(1) }))

test('a circle is found, and two ways to one folder are none', () => {
  assert.deepEqual(circlesIn(graph('ab', 'bd', 'ac', 'cd')), [])
  assert.deepEqual(circlesIn(graph('ab', 'bd', 'ac', 'cd', 'db')), [['b', 'd']])
  assert.deepEqual(circlesIn(graph('xa', 'ab', 'bc', 'ca', 'yz', 'zy')), [
    ['a', 'b', 'c'],
    ['y', 'z'],
  ])
})

test('an arrow that a longer way replaces is not drawn', () => {
  assert.deepEqual(shortest(graph('ab', 'bc', 'ac')), graph('ab', 'bc'))
})

for (const workspace of drawn) {
  test(`no files of ${workspace} need each other to be loaded`, () => {
    assert.deepEqual(circlesIn(importsBetweenFiles(workspace, false)), [])
  })

  test(`no folders of ${workspace} import each other in a circle, at any depth`, () => {
    assert.deepEqual(circlesIn(importsBetweenFolders(workspace)), [])
  })
}

test('the drawing of the folders is of these folders: npm run docs:folders', () => {
  assert.equal(textOf(DRAWING), drawing())
})
