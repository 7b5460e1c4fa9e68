import { z } from 'zod'
import { schemaNames } from './api/schema-names.ts'
import { Status } from './status.ts'
import { line, paragraph } from './text.ts'
import { hasAddress } from './title-path.ts'
import { notANumber } from './typed-number.ts'

/** A picture that can be shown: file path under /api/file/, size in px for a stable layout, words for who can't see it. */
const ImageView = z
  .strictObject({ path: z.string(), width: z.int(), height: z.int(), alt: z.string() })
  .register(schemaNames, { id: 'Image' })
export type ImageView = z.infer<typeof ImageView>

/** A category as the public sees it. Source: spec §3. */
export const CategoryView = z
  .strictObject({
    _id: z.string(),
    title: z.string(),
    icon: z.string(),
    imagePath: z.string(),
    description: z.string(),
    shelfPos: z.string(),
    status: Status,
    image: ImageView.nullable(),
  })
  .register(schemaNames, { id: 'Category' })
export type CategoryView = z.infer<typeof CategoryView>

/** Freshness and origin of the freshest box that a product comes from, for cards and product pages. */
const ProductBox = z
  .strictObject({
    boxID: z.string(),
    /** 0 (as caught) to 1 (past its best); null before the first assessment. */
    freshnessIndex: z.number().nullable(),
    /** Days left on ice, with range; null where the model has no figure. */
    daysLeft: z.strictObject({ days: z.number(), low: z.number(), high: z.number() }).nullable(),
    catchPlace: z.string().nullable(),
    catchTime: z.string().nullable(),
  })
  .register(schemaNames, { id: 'ProductBox' })
export type ProductBox = z.infer<typeof ProductBox>

/** A product as the public sees it. `price` in dollars with cents, as spec §3 has it. */
export const ProductView = z
  .strictObject({
    _id: z.string(),
    title: z.string(),
    category_id: z.string(),
    imagePaths: z.array(z.string()),
    price: z.number(),
    unit: z.string(),
    includeGST: z.boolean(),
    discount: z.number(),
    stock: z.int(),
    shelfPos: z.string(),
    status: Status,
    description: z.string(),
    images: z.array(ImageView),
    box: ProductBox.nullable(),
  })
  .register(schemaNames, { id: 'Product' })
export type ProductView = z.infer<typeof ProductView>

/** Dollars with at most two decimals, 0 to 100,000. */
export const Price = z
  .number({ error: notANumber('price', '12.50 for twelve dollars fifty') })
  .min(0, 'price must not be negative')
  .max(100_000, 'price must be at most 100000')
  .refine((price) => Math.round(price * 100) / 100 === price, 'price must not have fractions of a cent')

/** How a picture of a category or product is described to who can't see it. */
export const ImageAlt = paragraph('description of the picture', 300)

const productFields = {
  title: line('title', 120),
  category_id: z.string('category is required').min(1, 'category is required').max(64),
  price: Price,
  unit: line('unit', 20),
  includeGST: z.boolean('includeGST must be true or false'),
  discount: z
    .number({ error: notANumber('discount') })
    .int('discount must be a whole number')
    .min(0, 'discount must be 0 to 100')
    .max(100, 'discount must be 0 to 100'),
  stock: z
    .number({ error: notANumber('stock') })
    .int('stock must be a whole number')
    .min(0, 'stock must not be negative')
    .max(1_000_000, 'stock must be at most 1000000'),
  shelfPos: line('shelf position', 20),
  status: Status,
  description: paragraph('description', 5_000),
}

/** What a manager types of a product; defaults of spec §3. Pictures travel beside it. */
export const ProductInput = z.object({
  ...productFields,
  price: productFields.price.default(0),
  unit: productFields.unit.default('kg'),
  includeGST: productFields.includeGST.default(false),
  discount: productFields.discount.default(0),
  stock: productFields.stock.default(100),
  shelfPos: productFields.shelfPos.default('1.1'),
  status: productFields.status.default('ACTIVE'),
  description: productFields.description.default(''),
})
export type ProductInput = z.infer<typeof ProductInput>

/** What a manager changes of a product: no field has to be there, and none that isn't is touched. */
export const ProductPatch = z.object(productFields).partial()
export type ProductPatch = z.infer<typeof ProductPatch>

const categoryFields = {
  title: line('title', 80).refine(hasAddress, 'title must have letters or digits'),
  icon: z.string('icon must be text').max(60, 'icon must have at most 60 characters'),
  description: paragraph('description', 2_000),
  shelfPos: line('shelf position', 20),
  status: Status,
}

/** What a manager types of a category. Its picture travels beside it. Source: spec §3, §5. */
export const CategoryInput = z.object({
  ...categoryFields,
  icon: categoryFields.icon.default(''),
  description: categoryFields.description.default(''),
  status: categoryFields.status.default('ACTIVE'),
})
export type CategoryInput = z.infer<typeof CategoryInput>

/** What a manager changes of a category. */
export const CategoryPatch = z.object(categoryFields).partial()
export type CategoryPatch = z.infer<typeof CategoryPatch>
