/* Areas of deliveries as an administrator types them. What they mean is in `order-totals.ts`, which pages load early. */
import { z } from 'zod'
import { line, schemaNames } from './fields.ts'
import { MAX_DOLLARS, MAX_FEE_DOLLARS } from './limits.ts'
import { postcodeRange } from './order-totals.ts'

/** Areas of deliveries, and postcodes and ranges of them in all. */
export const MAX_AREAS = 50
const MAX_POSTCODES = 500

const amountOf = (label: string, dollars: number, min = 0) =>
  z
    .int(`${label} must be dollars and cents`)
    .min(min, `${label} must be ${min === 0 ? 'at least' : 'more than'} 0`)
    .max(dollars * 100, `${label} must be at most $${dollars}`)

const PostcodeEntry = z
  .string('must be a postcode')
  .regex(/^\d{4}(-\d{4})?$/, {
    error: ({ input }) =>
      `“${String(input).slice(0, 20)}” is no postcode of 4 digits, nor a range as 2006-2010`,
  })
  .refine((entry) => !(postcodeRange(entry)[0] > postcodeRange(entry)[1]), {
    error: ({ input }) => `${String(input)} ends before it begins`,
  })

/** What deliveries cost, by their postcodes: what is in no area is free of charge, and takes orders of any size. */
export const DeliveryInput = z.strictObject({
  part: z.literal('delivery'),
  areas: z
    .array(
      z
        .strictObject({
          area: line('name', 80),
          postcodes: z
            .array(PostcodeEntry, 'postcodes must be a list')
            .min(1, 'name a postcode')
            .max(MAX_POSTCODES),
          fee: amountOf('fee', MAX_FEE_DOLLARS),
          minimum: amountOf('minimum', MAX_DOLLARS),
          freeFrom: amountOf('free from', MAX_DOLLARS, 1).nullable(),
        })
        .refine(({ fee, freeFrom }) => fee > 0 || freeFrom === null, {
          path: ['freeFrom'],
          error: 'is for areas with a fee',
        }),
      'areas must be a list',
    )
    .max(MAX_AREAS, `at most ${MAX_AREAS} areas`)
    .superRefine((areas, { addIssue }) => {
      const count = areas.reduce((sum, { postcodes }) => sum + postcodes.length, 0)
      if (count > MAX_POSTCODES) {
        addIssue({ code: 'custom', message: `at most ${MAX_POSTCODES} postcodes and ranges in all` })
        return
      }
      for (const [i, { area }] of areas.entries())
        if (areas.findIndex((other) => other.area.toLowerCase() === area.toLowerCase()) < i)
          addIssue({ code: 'custom', path: [i, 'area'], message: 'another area has this name' })
      for (const { path, message } of overlaps(areas)) addIssue({ code: 'custom', path, message })
    }),
})

type Areas = readonly { area: string; postcodes: readonly string[] }[]

/** Postcodes that are in an area twice or in two of them, at each place where they are. */
function overlaps(areas: Areas): { path: (string | number)[]; message: string }[] {
  const entries = areas.flatMap(({ area, postcodes }, i) =>
    postcodes.map((entry, j) => ({ area, entry, range: postcodeRange(entry), path: [i, 'postcodes', j] })),
  )
  return entries.flatMap(({ entry, range: [first, last], path }, at) => {
    const other = entries.find(({ range }, i) => i !== at && range[0] <= last && first <= range[1])
    return other === undefined ? [] : [{ path, message: `${entry} is in ${other.area} too (${other.entry})` }]
  })
}

/** What an order to an area costs to bring, in cents: see `DeliveryTerms`. */
export const DeliveryTermsView = z
  .strictObject({ area: z.string(), fee: z.int(), minimum: z.int(), freeFrom: z.int().nullable() })
  .register(schemaNames, { id: 'DeliveryTerms' })

/** What deliveries cost, as it is kept. */
export const DeliveryValue = z.strictObject({
  part: z.literal('delivery'),
  areas: z.array(z.strictObject({ ...DeliveryTermsView.shape, postcodes: z.array(z.string()) })),
})
