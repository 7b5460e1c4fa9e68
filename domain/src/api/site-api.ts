import { z } from 'zod'
import { Role, schemaNames } from '../fields.ts'
import { rights } from '../rights.ts'

/** The signed-in user, as far as pages need, with the rights at the desk. Null: anonymous. */
export const Viewer = z
  .strictObject({
    fname: z.string(),
    role: Role,
    rights: z.array(z.enum(rights)),
    /** They work at the desk once two-step login is set up, and are customers until then. */
    lacksSecondFactor: z.literal(true).optional(),
  })
  .nullable()
  .register(schemaNames, { id: 'Viewer' })
export type Viewer = z.infer<typeof Viewer>

/** Where orders are picked up. */
export const PickUp = z.strictObject({
  name: z.string(),
  /** Street and town, where the shop states them. */
  address: z.string().optional(),
  latitude: z.number(),
  longitude: z.number(),
})

/** Site configuration: server/content/site.json, and what administrators made of it. Source: product.md. */
export const Site = z
  .strictObject({
    name: z.string(),
    fullName: z.string(),
    publicUrl: z.string(),
    /** Where boxes arrive. */
    market: z.strictObject({
      name: z.string(),
      timeZone: z.string(),
      latitude: z.number(),
      longitude: z.number(),
    }),
    pickUp: PickUp,
    /** Deliveries to some postcodes cost something; absent: none does. */
    deliveryFees: z.literal(true).optional(),
    /** Today's date in market time, `YYYY-MM-DD`. */
    today: z.iso.date(),
    /** When this was so, to the minute. RFC 3339. */
    asOf: z.string(),
    partners: z.array(z.strictObject({ name: z.string(), url: z.string(), kind: z.string() })),
    /** Null: there is none. */
    award: z.strictObject({ text: z.string(), url: z.string() }).nullable(),
    /** The box that the home page and the lab lead to; null: the one that is named is not there. */
    sampleBox: z.string().nullable(),
    /** Pages of what a shop has to say, for the footer and the checkout. */
    pages: z.array(z.strictObject({ path: z.string(), title: z.string() })),
    /** Who sells, with the ABN where there is one; null: nobody is named. */
    seller: z.string().nullable(),
    map: z.strictObject({ tiles: z.string().nullable(), attribution: z.string().nullable() }),
    chain: z.strictObject({
      chainId: z.int(),
      embedded: z.boolean(),
      rpc: z.string(),
      contract: z.string().nullable(),
    }),
    /** True when the sample data was loaded: pages say that it is invented. */
    sample: z.boolean(),
    /** True when orders can be paid by card. */
    cardPayment: z.boolean(),
    /** The most that a line of an order takes, unless its product says another: kilograms, or pieces. */
    orderLimits: z.strictObject({ lineKg: z.number(), linePieces: z.int() }),
    /** True on a development site without SMTP: pages may hint at the outbox. */
    outbox: z.boolean(),
  })
  .register(schemaNames, { id: 'Site' })
export type Site = z.infer<typeof Site>

/** A page of words. `html` is made from Markdown by the server, and harmless whatever that says. */
export const ContentPage = z
  .strictObject({ slug: z.string(), title: z.string(), description: z.string(), html: z.string() })
  .register(schemaNames, { id: 'ContentPage' })
export type ContentPage = z.infer<typeof ContentPage>
