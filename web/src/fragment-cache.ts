import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import type { FragmentSource } from './components/cached-fragment.tsx'

/** Enough for the pages that are asked for most: some 3 KB each. */
const MAX_OBJECTS = 1_000
/** Rendered after one page: of a longer one, the next pages render the rest. */
const MAX_MISSING = 100
/** Variants of one object, such as yesterday's and today's. */
const MAX_VARIANTS = 4

type Missing = { of: object; variant: string; children: ReactNode }

/** Rendered parts of pages (`CachedFragment`), those that were rendered last. */
export class FragmentCache {
  readonly #html = new Map<object, Map<string, string>>()
  #missing: Missing[] = []

  readonly source: FragmentSource = (of, variant, children) => {
    const html = this.#html.get(of)?.get(variant)
    if (html === undefined && this.#missing.length < MAX_MISSING)
      this.#missing.push({ of, variant, children })
    return html
  }

  /** Renders what `source` did not have, for the next page. Not while a page is rendered: React does one at a time. */
  renderMissing(): void {
    const missing = this.#missing
    this.#missing = []
    for (const { of, variant, children } of missing)
      try {
        this.#add(of, variant, renderToString(children))
      } catch {
        // The page that shows it fails, and says why.
      }
  }

  /** Number of objects of which something is kept. */
  get size(): number {
    return this.#html.size
  }

  #add(of: object, variant: string, html: string): void {
    const variants = this.#html.get(of) ?? new Map<string, string>()
    if (variants.size >= MAX_VARIANTS) variants.clear()
    variants.set(variant, html)
    this.#html.delete(of)
    this.#html.set(of, variants)
    const [oldest] = this.#html.keys()
    if (this.#html.size > MAX_OBJECTS && oldest) this.#html.delete(oldest)
  }
}
