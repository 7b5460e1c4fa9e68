import { z } from 'zod'
import { coldChainMarks } from './cold-chain.ts'
import { line, paragraph, Status, schemaNames } from './fields.ts'
import { allergens } from './labelling.ts'
import { MAX_ALT, MAX_DOLLARS, MAX_STOCK } from './limits.ts'
import { hasAddress } from './page-paths.ts'
import { boxStages } from './place.ts'
import {
  Allergens,
  type EditedField,
  inputShape,
  MAX_PIECE_WEIGHT,
  newValues,
  Origin,
  Preparations,
  PreparationView,
  patchShape,
  viewShape,
} from './product-fields.ts'
import { isInThousandths, kiloSteps, USUAL_STEP } from './quantity.ts'
import { facetKinds } from './shelf-choices.ts'
import { numberError } from './typed-number.ts'

/** An image: file path under /api/file/, size in px for a stable layout, and alternative text. */
export const ImageView = z
  .strictObject({ path: z.string(), width: z.int(), height: z.int(), alt: z.string() })
  .register(schemaNames, { id: 'Image' })
export type ImageView = z.infer<typeof ImageView>

/** Freshness and origin of the freshest box that a product comes from, for cards and product pages. */
export const ProductBox = z
  .strictObject({
    boxID: z.string(),
    /** 0 (as caught) to 1 (past its best); null before the first assessment. */
    freshnessIndex: z.number().nullable(),
    /** Date in market time until which it is at its best, held as it was last measured; null when the model does not apply. */
    bestBy: z.iso.date().nullable(),
    /** Dates in market time from which on it is no more excellent, no more good, and past its best; null as `bestBy`. */
    wordFrom: z.strictObject({ good: z.iso.date(), useSoon: z.iso.date(), over: z.iso.date() }).nullable(),
    /**
     * The last temperature, in °C, where it was above 5 °C, and when that was, in market time (`YYYY-MM-DD HH:MM:SS`);
     * from `unknownFrom` (RFC 3339) on nobody knows how fresh it is.
     */
    warm: z.strictObject({ at: z.string(), temperature: z.number(), unknownFrom: z.string() }).nullable(),
    /** Null without readings. */
    coldChain: z.enum(coldChainMarks).nullable(),
    stage: z.enum(boxStages),
    catchPlace: z.string().nullable(),
    catchTime: z.string().nullable(),
    /** How it was fished, as its record says: 'line', 'purse seine'. */
    method: z.string().nullable(),
    /** The boat that caught it, and who registered the box, as their records say. */
    boat: z.string().nullable(),
    trader: z.string().nullable(),
  })
  .register(schemaNames, { id: 'ProductBox' })
export type ProductBox = z.infer<typeof ProductBox>

/** Dollars with at most two decimals, 0 to `MAX_DOLLARS`. */
export const Price = z
  .number({ error: numberError('price', '12.50 for twelve dollars fifty') })
  .min(0, 'price must not be negative')
  .max(MAX_DOLLARS, `price must be at most ${MAX_DOLLARS}`)
  .refine((price) => Math.round(price * 100) / 100 === price, 'price must not have fractions of a cent')

/** Alternative text of an image. */
export const ImageAlt = paragraph('description of the picture', MAX_ALT)

/** A whole number from 0 to `most`. */
const wholeNumber = (label: string, most: number, tooMuch: string, negative = tooMuch) =>
  z
    .number({ error: numberError(label) })
    .int(`${label} must be a whole number`)
    .min(0, `${label} ${negative}`)
    .max(most, `${label} ${tooMuch}`)

/** The editable fields of a product. Defaults: spec §3. */
const productFields = {
  title: { typed: line('title', 120), shown: z.string() },
  category_id: {
    typed: z.string('category is required').min(1, 'category is required').max(64),
    shown: z.string(),
  },
  price: { typed: Price, initial: 0, shown: z.number() },
  unit: { typed: line('unit', 20), initial: 'kg', shown: z.string() },
  includeGST: {
    typed: z.boolean('includeGST must be true or false'),
    initial: false,
    shown: z.boolean(),
  },
  discount: { typed: wholeNumber('discount', 100, 'must be 0 to 100'), initial: 0, shown: z.number() },
  stock: {
    typed: z
      .number({ error: numberError('stock') })
      .min(0, 'stock must not be negative')
      .max(MAX_STOCK, `stock must be at most ${MAX_STOCK}`)
      .refine(isInThousandths, 'stock must have at most three decimals'),
    initial: 100,
    shown: z.number(),
  },
  shelfPos: { typed: line('shelf position', 20), initial: '1.1', shown: z.string() },
  status: { typed: Status, initial: 'ACTIVE', shown: Status },
  /** Countries; empty: not stated. */
  origin: { typed: Origin, initial: [], shown: z.array(z.string()) },
  /** Empty: not stated. */
  allergens: { typed: Allergens, initial: [], shown: z.array(z.enum(allergens)) },
  /** Estimated grams of one piece, where a product that is sold by weight comes in pieces; 0: not stated. */
  pieceWeight: {
    typed: wholeNumber('piece weight', MAX_PIECE_WEIGHT, `must be 0 to ${MAX_PIECE_WEIGHT} grams`),
    initial: 0,
    shown: z.int(),
  },
  /** The most units of one order; 0: the shop's own limit. */
  orderLimit: {
    typed: wholeNumber('most in an order', MAX_STOCK, `must be at most ${MAX_STOCK}`, 'must not be negative'),
    initial: 0,
    shown: z.int(),
  },
  /** Kilograms by which it is bought where it is sold by the kilogram. */
  step: {
    typed: z
      .number({ error: numberError('step') })
      .refine((step) => kiloSteps.includes(step), `step must be one of ${kiloSteps.join(', ')} (kilograms)`),
    initial: USUAL_STEP,
    shown: z.number(),
  },
  /** What it can be prepared as; empty: it is sold whole alone. */
  preparations: { typed: Preparations, initial: [], shown: z.array(PreparationView) },
  description: { typed: paragraph('description', 5_000), initial: '', shown: z.string() },
} as const satisfies Record<string, EditedField>

/** A new product as a manager submits it. Images are sent beside it. */
export const ProductInput = z.object(inputShape(productFields))
export type ProductInput = z.infer<typeof ProductInput>

/** A product's form before anything is typed. Source: spec §3. */
export const newProduct: ProductInput = newValues(productFields, { title: '', category_id: '' })

/** A partial change of a product: fields that are absent stay unchanged. */
export const ProductPatch = z.object(patchShape(productFields)).partial()
export type ProductPatch = z.infer<typeof ProductPatch>

/** A public product. `price` in dollars with cents, as in spec §3; `stock` is what may be sold of it. */
export const ProductView = z
  .strictObject({
    _id: z.string(),
    ...viewShape(productFields),
    imagePaths: z.array(z.string()),
    images: z.array(ImageView),
    box: ProductBox.nullable(),
    /** There is stock, but nothing of it may be sold now: its boxes are recalled, off sale or empty. `stock` is 0 then. */
    saleStopped: z.boolean(),
  })
  .register(schemaNames, { id: 'Product' })
export type ProductView = z.infer<typeof ProductView>

/** How something is kept and cooked at home. */
export type KitchenAdvice = { keep: string; cook: string }

/** What the page of a product shows of it. `kitchen`: null where nothing is known of its kind. */
export const ProductDetail = ProductView.extend({
  kitchen: z.strictObject({ keep: z.string(), cook: z.string() }).nullable(),
}).register(schemaNames, { id: 'ProductDetail' })
export type ProductDetail = z.infer<typeof ProductDetail>

/** What a card shows of a product: with its first picture, without its description. */
export const ProductCard = ProductView.pick({
  _id: true,
  title: true,
  price: true,
  discount: true,
  unit: true,
  stock: true,
  shelfPos: true,
  origin: true,
  box: true,
  saleStopped: true,
})
  .extend({
    image: ImageView.nullable(),
    isPrepared: z.boolean().describe('it can be had gutted or as fillets, not only as it was landed'),
  })
  .register(schemaNames, { id: 'ProductCard' })
export type ProductCard = z.infer<typeof ProductCard>

/** Other products that one may want, and why: 'Also snapper'. */
export const RelatedProducts = z
  .strictObject({
    reason: z.string(),
    products: z.array(ProductCard),
    differences: z
      .array(z.string())
      .describe(
        'of each product, how it differs from the one that was asked about; empty where it is another fish',
      ),
  })
  .register(schemaNames, { id: 'RelatedProducts' })
export type RelatedProducts = z.infer<typeof RelatedProducts>

/** How the words of a search were read. */
export const SearchReading = z
  .strictObject({
    instead: z.string().nullable().describe('searched for instead, since nothing has the words as typed'),
    soldAs: z.string().nullable().describe('what it is called here, where it was found by another name'),
    isPartly: z.boolean().describe('nothing has all of the words: what was found has some of them'),
    sort: z
      .enum(['price-up', 'freshest'])
      .nullable()
      .describe('the order that its words ask for, as "cheap" does'),
    named: z
      .string()
      .nullable()
      .describe(
        'the trade’s name of what was searched for, where nothing was found: one can be told when it is there',
      ),
    said: z.string().describe('all of this in sentences for who searched; empty where it was read as typed'),
  })
  .register(schemaNames, { id: 'SearchReading' })
export type SearchReading = z.infer<typeof SearchReading>

/** What a list can be narrowed by in one respect, and how many products each value would leave with all else as it is. */
export const ProductFacet = z
  .strictObject({
    kind: z.enum(facetKinds),
    options: z.array(
      z.strictObject({ value: z.string(), label: z.string(), count: z.int(), isChosen: z.boolean() }),
    ),
  })
  .register(schemaNames, { id: 'ProductFacet' })
export type ProductFacet = z.infer<typeof ProductFacet>

/**
 * One window of the products that a filter finds: `total` of `onSale` on sale in all. A page after the last is the last.
 * `search` is null where nothing was searched for, `facets` where nobody asked for them.
 */
export const ProductWindow = z
  .strictObject({
    rows: z.array(ProductCard),
    page: z.int(),
    size: z.int(),
    total: z.int(),
    onSale: z.int(),
    search: SearchReading.nullable(),
    facets: z.array(ProductFacet).nullable(),
  })
  .register(schemaNames, { id: 'ProductWindow' })
export type ProductWindow = z.infer<typeof ProductWindow>

/** What a search that is still being typed may mean: words to search for, and the products that fit best. */
export const ProductSuggestions = z
  .strictObject({ words: z.array(z.string()), products: z.array(ProductCard) })
  .register(schemaNames, { id: 'ProductSuggestions' })
export type ProductSuggestions = z.infer<typeof ProductSuggestions>

/** The editable fields of a category. Source: spec §3, §5. */
const categoryFields = {
  title: {
    typed: line('title', 80).refine(hasAddress, 'title must have letters or digits'),
    shown: z.string(),
  },
  icon: {
    typed: z.string('icon must be text').max(60, 'icon must have at most 60 characters'),
    initial: '',
    shown: z.string(),
  },
  description: { typed: paragraph('description', 2_000), initial: '', shown: z.string() },
  shelfPos: { typed: line('shelf position', 20), shown: z.string() },
  status: { typed: Status, initial: 'ACTIVE', shown: Status },
} as const satisfies Record<string, EditedField>

/** A new category as a manager submits it. Its image is sent beside it. */
export const CategoryInput = z.object(inputShape(categoryFields))
export type CategoryInput = z.infer<typeof CategoryInput>

/** A category's form before anything is typed. */
export const newCategory: CategoryInput = newValues(categoryFields, { title: '', shelfPos: '' })

/** A partial change of a category. */
export const CategoryPatch = z.object(patchShape(categoryFields)).partial()
export type CategoryPatch = z.infer<typeof CategoryPatch>

/** A public category. Source: spec §3. */
export const CategoryView = z
  .strictObject({
    _id: z.string(),
    ...viewShape(categoryFields),
    imagePath: z.string(),
    image: ImageView.nullable(),
  })
  .register(schemaNames, { id: 'Category' })
export type CategoryView = z.infer<typeof CategoryView>
