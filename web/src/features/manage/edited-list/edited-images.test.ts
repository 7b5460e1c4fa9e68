import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_FILE_BYTES, MAX_IMAGES } from '@befaqt/domain/upload-limits'
import { addFiles, appendImages, type EditedImage, moved } from './edited-images.ts'

const file = (name: string, type = 'image/jpeg', bytes = 3): File =>
  new File([new Uint8Array(bytes)], name, { type })
const kept = (key: string): EditedImage => ({
  key,
  src: '',
  name: key,
  alt: `alt ${key}`,
  path: key,
  file: null,
})

test('files that are no images, too large or empty are rejected by name, the rest is accepted', () => {
  const { images, refused } = addFiles(
    [kept('a')],
    [
      file('fish.jpg'),
      file('prices.pdf', 'application/pdf'),
      file('logo.svg', 'image/svg+xml'),
      file('big.png', 'image/png', MAX_FILE_BYTES + 1),
      file('none.png', 'image/png', 0),
    ],
    true,
  )
  assert.deepEqual(
    images.map(({ name }) => name),
    ['a', 'fish.jpg'],
  )
  assert.deepEqual(refused, [
    'prices.pdf is not a picture that can be uploaded',
    'logo.svg is not a picture that can be uploaded',
    'big.png has more than 10 MB',
    'none.png is empty',
  ])
})

test('files beyond the maximum are rejected by name', () => {
  const full = Array.from({ length: MAX_IMAGES - 1 }, (_, i) => kept(String(i)))
  const { images, refused } = addFiles(full, [file('one.jpg'), file('two.jpg')], true)
  assert.equal(images.length, MAX_IMAGES)
  assert.deepEqual(refused, ['two.jpg is one too many: 20 at most'])
})

test('where there is one image, a new one replaces it', () =>
  assert.deepEqual(
    addFiles([kept('a')], [file('b.jpg'), file('c.jpg')], false).images.map(({ name }) => name),
    ['b.jpg'],
  ))

test('an image moves to its new position, and never beyond an end', () => {
  const order = (key: string, to: number) => moved(['a', 'b', 'c'].map(kept), key, to).map(({ key }) => key)
  assert.deepEqual(order('a', 1), ['b', 'a', 'c'])
  assert.deepEqual(order('c', 0), ['c', 'a', 'b'])
  assert.deepEqual(order('a', -1), ['a', 'b', 'c'])
  assert.deepEqual(order('c', 9), ['a', 'b', 'c'])
})

test('the form data has the order of kept and new images, with the alternative text of each', () => {
  const form = new FormData()
  const fresh = (name: string): EditedImage => ({ ...kept(name), path: null, file: file(name) })
  appendImages(form, [fresh('x.jpg'), kept('old.webp'), fresh('y.jpg')])
  assert.deepEqual(form.getAll('imagePaths[]'), ['new:0', 'old.webp', 'new:1'])
  assert.deepEqual(form.getAll('imageAlts[]'), ['alt x.jpg', 'alt old.webp', 'alt y.jpg'])
  assert.deepEqual(
    form.getAll('productImages').map((entry) => entry instanceof File && entry.name),
    ['x.jpg', 'y.jpg'],
  )
})
