import type { ContentPage } from '@befaqt/domain/api/site-api'
import { BoxID } from '@befaqt/domain/box-values'
import { isEmailName, SiteEmail } from '@befaqt/domain/email-templates'
import { type EmailName, emailTexts } from '@befaqt/domain/email-texts'
import type { EmailTemplate } from '@befaqt/domain/email-texts-shop'
import { type SiteValue, type SiteValueOf, siteKey } from '@befaqt/domain/site-settings'
import { eq, inArray, or, sql } from 'drizzle-orm'
import type { Config } from '#server/config/config.ts'
import type { Database, Db, Tx } from '#server/db/client.ts'
import type { Follower, HeardEvent } from '#server/db/event-feed.ts'
import { eventKinds } from '#server/db/events.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { siteVersions } from '#server/db/schema/site.ts'
import { DatabaseUnreachable, whileAnswering } from '#server/db/unreachable.ts'
import type { SiteFile } from './site.ts'
import { textHtml } from './text-html.ts'

/** What each part says as long as nobody has changed it, by its key, in the order of the page that edits them. */
export type Setup = ReadonlyMap<string, SiteValue>

/** What is said of a part, without its name. */
type Said<Part extends SiteValue['part']> = Omit<SiteValueOf<Part>, 'part'>

/** Who sells; what is left out is not stated. Without an ABN nothing is a tax invoice. */
export type Seller = Said<'seller'>
type Place = Said<'place'>

/** What the site says, in all its parts. */
export type Settings = {
  /** Another one whenever something is different, in this process. */
  version: number
  values: Setup
  seller: Seller
  place: Place
  /** What deliveries cost, by area; none: they are free of charge. */
  areas: Said<'delivery'>['areas']
  partners: Said<'partners'>['partners']
  award: { text: string; url: string } | null
  /** The named sample box; null: there is no such box, and nothing leads to it. */
  sampleBox: string | null
  /** Pages of words by their slug, before `{{…}}` is filled in. */
  pages: ReadonlyMap<string, ContentPage>
  /** What an email says. */
  email(name: EmailName): EmailTemplate
  /** Who sold and where was picked up then: an order keeps what it was placed with. */
  sellerAt(at: Date): Seller
  placeAt(at: Date): Place
}

type FromEnvironment = Pick<
  Config,
  'SELLER_NAME' | 'SELLER_ABN' | 'SELLER_ADDRESS' | 'SELLER_EMAIL' | 'SELLER_PHONE'
>

/** What a new shop begins with: its settings, and the files in `server/content`. */
export function setupOf(
  config: FromEnvironment,
  { market, pages, partners, award, sampleBox }: Omit<SiteFile, 'orders'>,
  texts: readonly SiteValueOf<'text'>[],
): Setup {
  const { name, address, latitude, longitude } = market
  const seller: SiteValue = {
    part: 'seller',
    name: config.SELLER_NAME,
    abn: config.SELLER_ABN,
    address: config.SELLER_ADDRESS,
    email: config.SELLER_EMAIL,
    phone: config.SELLER_PHONE,
  }
  const place: SiteValue = { part: 'place', name, address, latitude, longitude }
  const home: SiteValue[] = [
    { part: 'delivery', areas: [] },
    { part: 'partners', partners },
    { part: 'award', ...award },
    { part: 'sample-box', box: sampleBox },
  ]
  const emails = Object.entries(emailTexts).map(
    ([email, { title: _, ...said }]): SiteValue => ({ part: 'email', email, ...said }),
  )
  const rank = ({ page }: { page: string }): number =>
    pages.findIndex(({ path }) => path === `/${page}`) + 1 || pages.length + 1
  const inOrder = texts.toSorted((a, b) => rank(a) - rank(b))
  return new Map([seller, place, ...home, ...inOrder, ...emails].map((value) => [siteKey(value), value]))
}

/** Parts of which all versions are in memory: orders ask for what they said. */
export const dated = ['seller', 'place'] as const
type Dated = (typeof dated)[number]

/** From a database that does not answer to the next try. */
const RETRY_MS = 5_000
/** Public pages wait for it, after which they show what was read last. */
const patience = { askAfterMs: 400, answerMs: 400 }

type Reading = Pick<Database, 'db' | 'answers'>

/**
 * What administrators made of the site, in memory, read again after any process changed it. While the database does not
 * answer it stays as it was.
 */
export class SiteSettings implements Follower {
  readonly setup: Setup
  readonly #database: Reading
  #last: Settings | undefined
  /** Raised by each change that is heard of. */
  #changes = 0
  #reading: { as: number; done: Promise<void> } | undefined
  #retryAt = 0
  /** Boxes that grew while it is read: what is read may not know of them. */
  readonly #grown = new Set<string>()
  #failure: unknown

  constructor(database: Reading, setup: Setup) {
    this.#database = database
    this.setup = setup
  }

  /** What the site says as of the last change. @throws DatabaseUnreachable when it was never read */
  async current(): Promise<Settings> {
    const isDue = this.#last?.version !== this.#changes && performance.now() >= this.#retryAt
    if (this.#last !== undefined && !isDue) return this.#last
    const as = this.#changes
    if (this.#reading?.as !== as) this.#reading = { as, done: this.#read(as) }
    await this.#reading.done
    if (this.#last === undefined) throw new DatabaseUnreachable(this.#failure)
    return this.#last
  }

  /** The same, for a transaction, which must not wait for another connection. @throws Error when it was never read */
  get known(): Settings {
    if (this.#last === undefined) throw new Error('the site was not read yet')
    return this.#last
  }

  heard({ kind, keys }: HeardEvent): void {
    const isThere = this.#last !== undefined && this.#last.sampleBox !== null
    if (kind === eventKinds.siteChanged) void this.clear()
    else if (kind === eventKinds.boxGrown) {
      if (this.#reading !== undefined) for (const box of keys ?? []) this.#grown.add(box)
      if (!isThere && this.#isSample(keys)) void this.clear()
    } else if (kind === eventKinds.boxAltered && isThere && this.#isSample(keys)) void this.clear()
  }

  /** Is the box that is named as the sample among these? Null: any box may be. */
  #isSample(keys: readonly string[] | null): boolean {
    return keys === null || (this.#last !== undefined && keys.includes(namedBox(this.#last.values)))
  }

  missed(): void {
    void this.clear()
  }

  /** After a change: it is read now, and the next answer waits for it. Resolves when it is `known`, or can't be read now. */
  async clear(): Promise<void> {
    this.#changes += 1
    this.#retryAt = 0
    await this.current().catch(() => undefined) // whoever asks next is told
  }

  /** Never rejects: without an answer it stays as it was. */
  async #read(as: number): Promise<void> {
    try {
      this.#grown.clear()
      const reading = readSite(this.#database.db, this.setup)
      // Before it was ever read there is nothing else to show: a slow start waits.
      const read = await (this.#last ? whileAnswering(this.#database, reading, patience) : reading)
      if (this.#last === undefined || as > this.#last.version) this.#last = settingsOf(this.setup, read, as)
      if (this.#last.sampleBox === null && this.#isSample([...this.#grown])) this.#changes += 1
    } catch (error) {
      this.#failure = error
      this.#retryAt = performance.now() + RETRY_MS
    } finally {
      if (this.#reading?.as === as) this.#reading = undefined
    }
  }
}

type VersionRow = typeof siteVersions.$inferSelect

const isOf = <Part extends SiteValue['part']>(
  value: SiteValue | undefined,
  part: Part,
): value is SiteValueOf<Part> => value?.part === part

/** The newest version of each part, and all of those that orders ask for, the oldest first. */
const readVersions = (db: Db): Promise<VersionRow[]> =>
  db
    .select()
    .from(siteVersions)
    .where(
      or(
        inArray(siteVersions.part, dated),
        sql`not exists (select from site_versions n
          where n.part = ${siteVersions.part} and n.version > ${siteVersions.version})`,
      ),
    )
    .orderBy(siteVersions.part, siteVersions.version)

type Read = { rows: readonly VersionRow[]; values: Setup; hasSample: boolean }

/** The versions, what the site says by them, and whether the box is there that it names. */
async function readSite(db: Db, setup: Setup): Promise<Read> {
  const rows = await readVersions(db)
  const values = new Map(setup)
  for (const { part, value } of rows) {
    const now = value ?? setup.get(part)
    if (now !== undefined && setup.has(part)) values.set(part, now)
  }
  return { rows, values, hasSample: await hasBoxPage(db, namedBox(values)) }
}

/** Is there a page of this box? Boxes of the register of devices, which no BoxID names, have none. */
export async function hasBoxPage(db: Db | Tx, box: string): Promise<boolean> {
  if (!BoxID.safeParse(box).success) return false
  return (await db.select({ id: boxes.id }).from(boxes).where(eq(boxes.id, box))).length > 0
}

function said<Part extends SiteValue['part']>(part: Part, value: SiteValue | undefined): Said<Part> {
  if (!isOf(value, part)) throw new Error(`the site has no ${part}`)
  const { part: _, ...rest } = value
  return rest
}

const namedBox = (values: Setup): string => said('sample-box', values.get('sample-box')).box

function settingsOf(setup: Setup, { rows, values, hasSample }: Read, version: number): Settings {
  const at = <Part extends Dated>(part: Part, moment?: Date): Said<Part> => {
    const then = rows.findLast((row) => row.part === part && (moment === undefined || row.at <= moment))
    return said(part, then?.value ?? setup.get(part))
  }
  const { text, url } = said('award', values.get('award'))
  return {
    version,
    values,
    seller: at('seller'),
    place: at('place'),
    areas: said('delivery', values.get('delivery')).areas,
    partners: said('partners', values.get('partners')).partners,
    award: text === undefined || url === undefined ? null : { text, url },
    sampleBox: hasSample ? namedBox(values) : null,
    pages: new Map(
      [...values.values()].flatMap((value) =>
        value.part === 'text' ? [[value.page, pageOf(value)] as const] : [],
      ),
    ),
    email: (name) => emailOf(name, values.get(`email.${name}`)),
    sellerAt: (moment) => at('seller', moment),
    placeAt: (moment) => at('place', moment),
  }
}

/** What an email says: not what staff made of it before it needed a link or a fact that is missing there. */
function emailOf(name: EmailName, value: SiteValue | undefined): EmailTemplate {
  return isOf(value, 'email') && SiteEmail.safeParse(value).success ? wholeEmail(value) : emailTexts[name]
}

/** With what its button says: the shop's own word, where an email of before that could be said has none. */
export function wholeEmail<Value extends SiteValue>(value: Value): Value {
  if (value.part !== 'email' || value.button !== undefined || !isEmailName(value.email)) return value
  const { button } = emailTexts[value.email]
  return button === undefined ? value : { ...value, button }
}

/** A text as a page, in which `{{…}}` is not filled in yet. */
export const pageOf = ({ page, title, description = '', text }: SiteValueOf<'text'>): ContentPage => ({
  slug: page,
  title,
  description,
  html: textHtml(text),
})
