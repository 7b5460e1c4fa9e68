import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { compress, decompress } from 'woff2-encoder'

/** One weight, or all between two. */
export type Weights = number | { min: number; max: number }

type Wanted = { letters: string; weights: Weights; features: readonly string[] }

/** What we call of HarfBuzz. Numbers are addresses in its memory. Source: hb.h, hb-subset.h. */
type HarfBuzz = {
  memory: WebAssembly.Memory
  _initialize: () => void
  malloc: (size: number) => number
  hb_blob_create: (data: number, length: number, mode: number, user: number, destroy: number) => number
  hb_blob_get_data: (blob: number, length: number) => number
  hb_blob_get_length: (blob: number) => number
  hb_face_create: (blob: number, index: number) => number
  hb_face_reference_blob: (face: number) => number
  hb_set_add: (set: number, value: number) => void
  hb_set_clear: (set: number) => void
  hb_subset_input_create_or_fail: () => number
  hb_subset_input_set: (input: number, kind: number) => number
  hb_subset_input_unicode_set: (input: number) => number
  hb_subset_input_pin_axis_location: (input: number, face: number, axis: number, at: number) => number
  hb_subset_input_set_axis_range: (
    input: number,
    face: number,
    axis: number,
    min: number,
    max: number,
    normal: number,
  ) => number
  hb_subset_or_fail: (face: number, input: number) => number
}

const WRITABLE = 2
const LAYOUT_FEATURES = 6

const tag = (name: string): number => [...name].reduce((sum, c) => (sum << 8) | c.charCodeAt(0), 0)

async function harfBuzz(): Promise<HarfBuzz> {
  const file = createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz-subset.wasm')
  const { instance } = await WebAssembly.instantiate(readFileSync(file))
  const hb: unknown = instance.exports
  const made = hb as HarfBuzz
  made._initialize()
  return made
}

function weigh(hb: HarfBuzz, input: number, face: number, weights: Weights): void {
  const done =
    typeof weights === 'number'
      ? hb.hb_subset_input_pin_axis_location(input, face, tag('wght'), weights)
      : hb.hb_subset_input_set_axis_range(input, face, tag('wght'), weights.min, weights.max, Number.NaN)
  if (!done) throw new Error('this font has no such weights')
}

/** A WOFF2 font with only these letters, weights and layout features of the one given. @throws Error when it can't be made */
export async function subsetFont(
  woff2: Uint8Array,
  { letters, weights, features }: Wanted,
): Promise<Uint8Array> {
  const hb = await harfBuzz()
  const font = await decompress(woff2)
  const data = hb.malloc(font.length)
  new Uint8Array(hb.memory.buffer).set(font, data)
  const face = hb.hb_face_create(hb.hb_blob_create(data, font.length, WRITABLE, 0, 0), 0)
  const input = hb.hb_subset_input_create_or_fail()
  weigh(hb, input, face, weights)
  const kept = hb.hb_subset_input_set(input, LAYOUT_FEATURES)
  hb.hb_set_clear(kept)
  for (const feature of features) hb.hb_set_add(kept, tag(feature))
  const unicodes = hb.hb_subset_input_unicode_set(input)
  for (const letter of letters) hb.hb_set_add(unicodes, letter.codePointAt(0) ?? 0)
  const subset = hb.hb_subset_or_fail(face, input)
  if (!subset) throw new Error('this font could not be subset')
  const blob = hb.hb_face_reference_blob(subset)
  const start = hb.hb_blob_get_data(blob, 0)
  return compress(new Uint8Array(hb.memory.buffer, start, hb.hb_blob_get_length(blob)).slice())
}
