import { CategoryInput, ProductInput } from '@befaqt/domain/catalogue'
import { z } from 'zod'

const slug = z.string().regex(/^[a-z0-9-]+$/)

/** One entry of server/sample/categories.json; `image` is a slug under images/category. */
export const SampleCategory = CategoryInput.extend({ image: slug })

/** One entry of server/sample/products.json; `images` are slugs under images/product, `boxes` are boxIDs. */
export const SampleProduct = ProductInput.omit({ category_id: true }).extend({
  category: z.string(),
  images: z.array(slug).min(1),
  boxes: z.array(z.string()).default([]),
})

/** One entry of server/sample/excursions.json: an excursion that was closed. */
export const SampleExcursion = z.object({ boxID: z.string(), reason: z.string().min(1) })

/** server/sample/images/manifest.json: alternative text and size in px of each image. */
export const Manifest = z.array(
  z.object({ path: z.string(), alt: z.string(), width: z.int(), height: z.int() }),
)
