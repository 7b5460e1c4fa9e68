import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import type { FragmentSource } from './components/cached-fragment.tsx'

/** Enough for the pages that are asked for most: some 3 KB each. */
const MAX_OBJECTS = 1_000
/** Rendered after one page: of a longer one, the next pages render the rest. */
const MAX_MISSING = 100
/** Variants of one object, such as yesterday's and today's. */
const MAX_VARIANTS = 4
/** Begins a mark where a fragment goes. Nothing from outside can contain it: it is another one in each process. */
const MARK = `<fragment ${crypto.randomUUID()} `

type Missing = { of: object; variant: string; children: ReactNode }

/** Rendered parts of pages (`CachedFragment`), those that were rendered last, as the bytes that are sent. */
export class FragmentCache {
  readonly #fragments = new Map<object, Map<string, Buffer>>()
  #missing: Missing[] = []

  /**
   * One page as bytes. Fragments are marks in what is rendered, and their bytes are copied into the page: so they are
   * neither put together as text nor encoded again. What was missing is rendered after the page, for the next one:
   * React renders one thing at a time.
   * @param render the page's HTML, with fragments from the source that it is given
   */
  renderPage(render: (source: FragmentSource) => string): Buffer {
    const used: Buffer[] = []
    const html = render((of, variant, children) => {
      const fragment = this.#fragments.get(of)?.get(variant)
      if (fragment !== undefined) return `${MARK}${used.push(fragment) - 1}>`
      if (this.#missing.length < MAX_MISSING) this.#missing.push({ of, variant, children })
      return undefined
    })
    this.#renderMissing()
    return fill(html, used)
  }

  /** Number of objects of which something is kept. */
  get size(): number {
    return this.#fragments.size
  }

  #renderMissing(): void {
    const missing = this.#missing
    this.#missing = []
    for (const { of, variant, children } of missing)
      try {
        this.#add(of, variant, Buffer.from(renderToString(children)))
      } catch {
        // The page that shows it fails, and says why.
      }
  }

  #add(of: object, variant: string, fragment: Buffer): void {
    const variants = this.#fragments.get(of) ?? new Map<string, Buffer>()
    if (variants.size >= MAX_VARIANTS) variants.clear()
    variants.set(variant, fragment)
    this.#fragments.delete(of)
    this.#fragments.set(of, variants)
    const [oldest] = this.#fragments.keys()
    if (this.#fragments.size > MAX_OBJECTS && oldest) this.#fragments.delete(oldest)
  }
}

/** `html` in UTF-8, with the fragments in the place of their marks. */
function fill(html: string, fragments: readonly Buffer[]): Buffer {
  const atMost = fragments.reduce((sum, { length }) => sum + length, Buffer.byteLength(html))
  const page = Buffer.allocUnsafe(atMost)
  const [start = '', ...rest] = html.split(MARK)
  let size = page.write(start)
  for (const marked of rest) {
    const end = marked.indexOf('>')
    size += fragments[Number(marked.slice(0, end))]?.copy(page, size) ?? 0
    size += page.write(marked.slice(end + 1), size)
  }
  return page.subarray(0, size)
}
