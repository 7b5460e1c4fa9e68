import { fieldError } from '#server/http/field-error.ts'

/** A picture in its place, with its words. */
export type OrderedImage = { path: string; alt: string }

const MAX_IMAGES = 20
const NEW = /^new:(\d{1,3})$/

/**
 * A product's pictures after a change, in order. `wanted` lists the paths that stay and, as 'new:0', 'new:1' …,
 * where uploads go; uploads not named there go last. Without `wanted` all stay. The same picture stands once.
 * @param alts words parallel to the result; where there are none, the words of before stay
 * @throws ShopError `input.invalid` for a path that the product doesn't have, or when none of its pictures would stay
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
  if (all.length > MAX_IMAGES) throw fieldError('productImages', `at most ${MAX_IMAGES} images are kept`)
  return all.map((path, i) => ({ path, alt: alts?.[i] ?? said.get(path) ?? '' }))
}
