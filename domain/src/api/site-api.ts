/** Who is looking, as far as pages need to know. Null: nobody signed in. */
export type Viewer = { fname: string; role: 'USER' | 'ADMIN' } | null

/** Site configuration, data and not code (server/content/site.json). Source: product.md. */
export type Site = {
  name: string
  fullName: string
  publicUrl: string
  market: { name: string; timeZone: string; latitude: number; longitude: number }
  partners: { name: string; url: string; kind: string }[]
  award: { text: string; url: string }
  sampleBox: string
  map: { tiles: string | null; attribution: string | null }
  chain: { chainId: number; embedded: boolean; rpc: string; contract: string | null }
  /** True where the sample shop was loaded: pages say that it is invented. */
  sample: boolean
  /** True on a development site without SMTP: pages may hint at the outbox. */
  outbox: boolean
}

/** A static page made from Markdown in server/content. `html` is ours, never a visitor's. */
export type ContentPage = { slug: string; title: string; description: string; html: string }

export interface SiteApi {
  site(): Promise<Site>
  viewer(): Promise<Viewer>
  /** @throws ShopError `not_found` */
  content(slug: string): Promise<ContentPage>
}
