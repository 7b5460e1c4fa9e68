import { z } from 'zod'
import { DeliveryInput, DeliveryValue } from './delivery-input.ts'
import { SiteEmail } from './email-templates.ts'
import { Email, line, maybe, paragraph, schemaNames } from './fields.ts'
import { isAbn } from './order-documents.ts'

/** Versions of one part of the site that are kept at most. */
export const MAX_SITE_VERSIONS = 500

/** Characters of the text of a page. */
export const MAX_SITE_TEXT = 20_000

/** What a text may ask for in two braces, `{{seller}}`: how the shop is set up, which nobody has to type. */
export const siteFacts = [
  'seller',
  'market',
  'times',
  'areas',
  'delivery-fee',
  'tolerance',
  'complaint-days',
  'photo-days',
  'guest-days',
  'line-kg',
  'line-pieces',
  'first-dollars',
  'first-kg',
] as const
export type SiteFact = (typeof siteFacts)[number]

const unknownFact = (text: string): string | undefined =>
  [...text.matchAll(/\{\{([\w-]+)\}\}/g)].find(([, name]) => !siteFacts.some((fact) => fact === name))?.[0]

const degrees = (label: string, most: number) =>
  z
    .number(`${label} must be a number`)
    .min(-most, `${label} must be from -${most} to ${most}`)
    .max(most, `${label} must be from -${most} to ${most}`)

/** Who sells: named in the footer, on the page of contacts and on invoices. What is left out is said to be not stated. */
const SellerInput = z
  .strictObject({
    part: z.literal('seller'),
    name: maybe('name', 200),
    abn: maybe('ABN', 20).refine(
      (abn) => abn === undefined || isAbn(abn),
      'must be an ABN: 11 digits with right check digits',
    ),
    address: maybe('address', 300),
    email: z.union([z.literal('').transform(() => undefined), Email]).optional(),
    phone: maybe('phone', 40),
  })
  .refine(({ abn, name }) => abn === undefined || name !== undefined, {
    path: ['name'],
    error: 'name is required: with an ABN there are tax invoices, which name the seller',
  })
  .refine(({ abn, address }) => abn === undefined || address !== undefined, {
    path: ['address'],
    error: 'address is required: with an ABN there are tax invoices, which have it',
  })

/** Where orders are picked up. */
const PlaceInput = z.strictObject({
  part: z.literal('place'),
  name: line('name', 100),
  address: maybe('address', 300),
  latitude: degrees('latitude', 90),
  longitude: degrees('longitude', 180),
})

const webAddress = (max: number) =>
  z
    .string('must be an http or https address')
    .max(max, `must have at most ${max} characters`)
    .transform((text) => text.trim())
    .pipe(z.url({ protocol: /^https?$/, error: 'must be an http or https address' }))

/** Partners that the home page names. */
export const MAX_PARTNERS = 12

const PartnersInput = z.strictObject({
  part: z.literal('partners'),
  partners: z
    .array(
      z.strictObject({ name: line('name', 80), url: webAddress(300), kind: line('kind', 60) }),
      'partners must be a list',
    )
    .max(MAX_PARTNERS, `at most ${MAX_PARTNERS} partners`),
})

/** Named on the home page. Without both there is none. */
const AwardInput = z
  .strictObject({
    part: z.literal('award'),
    text: maybe('text', 100),
    url: z
      .union([z.literal('').transform(() => undefined), webAddress(300)], {
        error: 'must be an http or https address',
      })
      .optional(),
  })
  .refine(({ text, url }) => text !== undefined || url === undefined, {
    path: ['text'],
    error: 'text is required where there is a link',
  })
  .refine(({ text, url }) => text === undefined || url !== undefined, {
    path: ['url'],
    error: 'a link is required: to who says so',
  })

/** The box that the film of the home page leads to. */
const SampleBoxInput = z.strictObject({ part: z.literal('sample-box'), box: line('box', 64) })

/** The words of a page, in Markdown. `page`: its address without the first slash. */
export const SiteText = z.strictObject({
  part: z.literal('text'),
  page: line('page', 100),
  title: line('title', 120),
  description: maybe('description', 300),
  text: paragraph('text', MAX_SITE_TEXT)
    .refine((text) => text.length > 0, 'text is required')
    .refine((text) => unknownFact(text) === undefined, {
      error: ({ input }) => `${unknownFact(String(input))} is nothing that the shop fills in`,
    }),
})
export type SiteText = z.input<typeof SiteText>

/** What a part of the site is to be. */
export const SiteInput = z.discriminatedUnion(
  'part',
  [SellerInput, PlaceInput, DeliveryInput, PartnersInput, AwardInput, SampleBoxInput, SiteText, SiteEmail],
  'there is no such part',
)
export type SiteInput = z.input<typeof SiteInput>

/** What a part of the site is. */
export const SiteValue = z
  .discriminatedUnion('part', [
    z.strictObject({
      part: z.literal('seller'),
      name: z.string().optional(),
      abn: z.string().optional(),
      address: z.string().optional(),
      email: z.string().optional(),
      phone: z.string().optional(),
    }),
    z.strictObject({
      part: z.literal('place'),
      name: z.string(),
      address: z.string().optional(),
      latitude: z.number(),
      longitude: z.number(),
    }),
    DeliveryValue,
    z.strictObject({
      part: z.literal('partners'),
      partners: z.array(z.strictObject({ name: z.string(), url: z.string(), kind: z.string() })),
    }),
    z.strictObject({
      part: z.literal('award'),
      text: z.string().optional(),
      url: z.string().optional(),
    }),
    z.strictObject({ part: z.literal('sample-box'), box: z.string() }),
    z.strictObject({
      part: z.literal('text'),
      page: z.string(),
      title: z.string(),
      description: z.string().optional(),
      text: z.string(),
    }),
    z.strictObject({
      part: z.literal('email'),
      email: z.string(),
      subject: z.string(),
      heading: z.string(),
      text: z.string(),
      button: z.string().optional(),
    }),
  ])
  .register(schemaNames, { id: 'SiteValue' })
export type SiteValue = z.infer<typeof SiteValue>

/** The value of a part of this kind. */
export type SiteValueOf<Part extends SiteValue['part']> = Extract<SiteValue, { part: Part }>

/** By what a part is asked for: its kind, or of which page or email it is the text, as 'about.terms'. */
export function siteKey(value: SiteValue): string {
  if (value.part === 'email') return `email.${value.email}`
  return value.part === 'text' ? value.page.replaceAll('/', '.') : value.part
}

const about = {
  key: z.string(),
  /** 0: nobody has changed it, it is as the shop began. */
  version: z.int(),
  /** Whether it is as the shop began: as its files and settings say. */
  isSetup: z.boolean(),
  /** Who made this version; null: nobody did. */
  who: z.string().nullable(),
  /** RFC 3339. */
  at: z.string().nullable(),
}

/** A part of the site in the list of all. */
export const SitePartRow = z.strictObject(about).register(schemaNames, { id: 'SitePartRow' })
export type SitePartRow = z.infer<typeof SitePartRow>

/** A part of the site as it is now. */
export const SitePart = z
  .strictObject({ ...about, value: SiteValue })
  .register(schemaNames, { id: 'SitePart' })
export type SitePart = z.infer<typeof SitePart>

/** One version of a part, with what was there before. */
export const SiteVersion = z
  .strictObject({
    ...about,
    /** The version that was restored with it; 0: as the shop began; null: none, it was typed. */
    restored: z.int().nullable(),
    /** Whether there was somebody's version before, of which it is not known any more what it said. */
    before: SiteValue.nullable(),
    after: SiteValue,
  })
  .register(schemaNames, { id: 'SiteVersion' })
export type SiteVersion = z.infer<typeof SiteVersion>

/** Which version is to be there again; 0: as the shop began. */
export const SiteRestoration = z.strictObject({
  to: z
    .int('to must be a whole number')
    .min(0, 'to must be a version')
    .max(1_000_000, 'to must be a version'),
})
