import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseBundle } from './bundle.ts'
import { FormatError } from './index.ts'
import { loggedBundle, logIn, shopOf, withLog } from './testing/logged-shop.ts'

test('whatever is not written as a log is refused with the place of it', async () => {
  const shop = shopOf()
  const bundle = await loggedBundle(shop, 'A', { size: 4 })
  const { checkpoint, inclusion, state } = logIn(bundle)
  const [hash = ''] = inclusion[0] ?? []
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const spare = (text: string, at: number): string =>
    text.slice(0, at) + letters.charAt(letters.indexOf(text.charAt(at)) ^ 1) + text.slice(at + 1)
  const spareRoot = checkpoint.replace(/^(.*\n.*\n)(.*)\n/, (_, head, root) => `${head}${spare(root, 42)}\n`)
  const first = bundle.anchors[0]
  assert.ok(state && first)
  const bad: [unknown, RegExp][] = [
    [{ ...bundle, log: null }, /^\$\.log: must be an object/],
    [{ ...bundle, log: { checkpoint } }, /^\$\.log\.inclusion: is missing/],
    [{ ...bundle, log: { ...logIn(bundle), more: 1 } }, /^\$\.log\.more: is not known/],
    [withLog(bundle, { checkpoint: 'x'.repeat(1_048_576) }), /^\$\.log\.checkpoint: must be text of/],
    [
      withLog(bundle, { checkpoint: `${checkpoint}${'— a b\n'.repeat(100)}` }),
      /\.checkpoint\.signatures: must be 64/,
    ],
    [withLog(bundle, { checkpoint: checkpoint.slice(0, -1) }), /\.checkpoint\.signatures: must be lines/],
    [withLog(bundle, { checkpoint: checkpoint.replace('\n4\n', '\n04\n') }), /\.checkpoint\.size/],
    [withLog(bundle, { checkpoint: checkpoint.replace('\n4\n', '\n4\nmore\n') }), /\.checkpoint/],
    [withLog(bundle, { checkpoint: spareRoot }), /\.checkpoint\.root: must be base64 without spare bits/],
    [withLog(bundle, { inclusion: { ...inclusion, 4: [] } }), /inclusion\.4: is not known/],
    [withLog(bundle, { inclusion: { ...inclusion, '00': [] } }), /inclusion\.00: is not known/],
    [
      withLog(bundle, { inclusion: { ...inclusion, 0: Array(64).fill(hash) } }),
      /inclusion\.0: must hold 0 to 63/,
    ],
    [
      withLog(bundle, { inclusion: { ...inclusion, 0: [spare(hash, 42)] } }),
      /inclusion\.0\[0\]: must be base64 without/,
    ],
    [
      withLog(bundle, { inclusion: { ...inclusion, 0: [hash.slice(1)] } }),
      /inclusion\.0\[0\]: must be 32 bytes/,
    ],
    [withLog(bundle, { inclusion: { ...inclusion, 0: [7] } as never }), /inclusion\.0\[0\]/],
    [withLog(bundle, { state: { ...state, index: 2 } }), /state\.index: must be a whole number from 3 to 3/],
    [withLog(bundle, { state: { ...state, txHash: '' } as never }), /state\.txHash: is not known/],
    [{ ...bundle, anchors: shop.bundleOf('A').anchors }, /anchors\[0\]\.boxes: is missing/],
    [
      { ...bundle, anchors: bundle.anchors.with(0, { ...first, boxes: -1 }) },
      /anchors\[0\]\.boxes: must be a whole/,
    ],
    [{ ...shop.bundleOf('A'), anchors: bundle.anchors }, /anchors\[0\]\.boxes: is not known/],
  ]
  for (const [value, message] of bad)
    assert.throws(
      () => parseBundle(value),
      (error) => error instanceof FormatError && message.test(error.message),
      String(message),
    )
  const whole = await loggedBundle(shop, 'A')
  assert.throws(
    () => parseBundle(withLog(whole, { state: { ...state, index: 4 } })),
    /state: must not stand where/,
  )
  const young = await loggedBundle(shop, 'A', { size: 0 })
  assert.throws(() => parseBundle(withLog(young, { state })), /state: must not stand/)
  assert.deepEqual(parseBundle(bundle), bundle)
})
