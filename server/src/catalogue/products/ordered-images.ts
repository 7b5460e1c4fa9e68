import { MAX_IMAGES } from '@befaqt/domain/upload-limits'
import { fieldError } from '#server/http/field-error.ts'

/** An image in order, with its alternative text. */
export type OrderedImage = { path: string; alt: string }

const NEW = /^new:(\d{1,3})$/

/**
 * A product's images after a change, in order. `wanted` lists the paths that stay and, as 'new:0', 'new:1' …, where
 * uploads go; uploads not named there go last. Without `wanted` all stay. Duplicates are removed.
 * @param alts alternative texts, parallel to the result; a missing one leaves the text unchanged
 * @throws ShopError `input.invalid` for a path that the product doesn't have, or when no image would be left
 */
export function orderedImages(
  before: readonly OrderedImage[],
  uploads: readonly string[],
  { wanted, alts }: { wanted?: readonly string[] | undefined; alts?: readonly string[] | undefined },
): OrderedImage[] {
  const said = new Map(before.map(({ path, alt }) => [path, alt]))
  const named = (wanted ?? [...said.keys()]).filter((entry) => entry !== '')
  const paths = named.map((entry, i) => {
    const upload = NEW.exec(entry)
    const path = upload ? uploads[Number(upload[1])] : said.has(entry) ? entry : undefined
    if (path === undefined) throw fieldError(`imagePaths[${i}]`, 'is not a picture of this product')
    return path
  })
  const all = [...new Set([...paths, ...uploads])]
  if (all.length === 0 && before.length > 0)
    throw fieldError('productImages', 'at least one image is required')
  if (all.length > MAX_IMAGES) throw fieldError('productImages', `at most ${MAX_IMAGES} images are allowed`)
  return all.map((path, i) => ({ path, alt: alts?.[i] ?? said.get(path) ?? '' }))
}
