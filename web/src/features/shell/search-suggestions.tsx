import { suggestProducts } from '@befaqt/domain/api/endpoints/shop'
import { NOT_ON_SALE } from '@befaqt/domain/cart'
import type { ProductCard, ProductSuggestions } from '@befaqt/domain/catalogue'
import { type AsOf, freshnessAt } from '@befaqt/domain/freshness-word'
import { dayText } from '@befaqt/domain/moment-text'
import { centsFromDecimal, priceLabel } from '@befaqt/domain/money'
import { cardPath } from '@befaqt/domain/page-paths'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { Icon } from '#web/components/icon.tsx'
import { Picture } from '#web/components/picture.tsx'
import { forgetSearches, recentSearches, rememberSearch } from '#web/forms/recent-searches.ts'
import { useAsOf } from '#web/time/today.ts'

/** Typing goes on for so long before it is asked about. */
const PAUSE_MS = 150
const NOTHING: ProductSuggestions = { words: [], products: [] }

/** One letter says too little, but one Chinese character may be a fish. */
const isEnough = (text: string): boolean => text.length > 1 || /\P{ASCII}/u.test(text)

const searchPath = (words: string): string => `/product?${new URLSearchParams({ q: words })}`

/** What is suggested for the text in the field: the newest answer, which stays while another is awaited or fails. */
function useSuggestions(text: string): ProductSuggestions {
  const [found, setFound] = useState(NOTHING)
  useEffect(() => {
    if (!isEnough(text)) return setFound(NOTHING)
    let isWanted = true
    const timer = setTimeout(() => {
      callApi(suggestProducts, { query: { q: text } }).then(
        (answer) => isWanted && setFound(answer),
        () => undefined, // the search itself will say what is wrong
      )
    }, PAUSE_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [text])
  return found
}

type Option = { href: string; words: string; product?: ProductCard }

/** What can be chosen: without anything typed, what was searched for before. */
function optionsOf(
  text: string,
  { words, products }: ProductSuggestions,
  recent: readonly string[],
): Option[] {
  if (text === '') return recent.map((search) => ({ href: searchPath(search), words: search }))
  return [
    ...words.map((one) => ({ href: searchPath(one), words: one })),
    ...products.map((product) => ({ href: cardPath(product), words: product.title, product })),
  ]
}

type Props = { field: RefObject<HTMLInputElement | null>; id: string }

/**
 * The list under a search field: words, and products with picture, price and best-by. The focus stays in the field; arrows
 * choose, Enter follows, Escape closes. Source: WAI-ARIA, combobox with a list.
 */
export default function SearchSuggestions({ field, id }: Props) {
  const [text, setText] = useState('')
  const [isOpen, setIsOpen] = useState(true)
  const [chosen, setChosen] = useState(-1)
  const [recent, setRecent] = useState(recentSearches)
  const list = useRef<HTMLDivElement>(null)
  const { key } = useLocation()
  const options = optionsOf(text, useSuggestions(text), recent)
  const now = useAsOf(options.map(({ product }) => product?.box ?? null))
  const isShown = isOpen && options.length > 0

  // Another page closes it.
  const shownOn = useRef(key)
  useEffect(() => {
    if (shownOn.current === key) return
    shownOn.current = key
    setIsOpen(false)
    setChosen(-1)
    setRecent(recentSearches())
  }, [key])

  useEffect(() => {
    const input = field.current
    if (input === null) return
    const leave = new AbortController()
    const { signal } = leave
    const typed = (): void => {
      setText(input.value.trim())
      setChosen(-1)
      setIsOpen(true)
    }
    const left = ({ relatedTarget }: FocusEvent): void => {
      if (!(relatedTarget instanceof Node && list.current?.contains(relatedTarget))) setIsOpen(false)
    }
    input.addEventListener('input', typed, { signal })
    const came = (): void => {
      setRecent(recentSearches()) // another tab may have added to them, or forgotten them with who logged out
      setIsOpen(true)
    }
    input.addEventListener('focus', came, { signal })
    input.addEventListener('blur', left, { signal })
    input.form?.addEventListener('submit', () => rememberSearch(input.value), { signal })
    typed() // what was typed before this was there
    setIsOpen(document.activeElement === input)
    return () => leave.abort()
  }, [field])

  useEffect(() => {
    const input = field.current
    if (input === null) return
    const optionAt = (at: number): HTMLElement | null =>
      list.current?.querySelector<HTMLElement>(`#${CSS.escape(`${id}-${at}`)}`) ?? null
    input.setAttribute('aria-controls', id)
    input.setAttribute('aria-expanded', String(isShown))
    if (isShown && chosen >= 0) input.setAttribute('aria-activedescendant', `${id}-${chosen}`)
    else input.removeAttribute('aria-activedescendant')
    optionAt(chosen)?.scrollIntoView({ block: 'nearest' })
    const pressed = (event: KeyboardEvent): void => {
      if (event.isComposing) return // a word of Chinese or Japanese is chosen by the same keys
      const { length } = options
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (step !== undefined && length > 0) {
        event.preventDefault()
        setIsOpen(true)
        // From the field to the first or last, and from there back to the field.
        setChosen((at) => ((at + 1 + step + length + 1) % (length + 1)) - 1)
      } else if (event.key === 'Escape' && isShown) {
        event.preventDefault()
        setIsOpen(false)
      } else if (event.key === 'Enter' && isShown && chosen >= 0) {
        event.preventDefault()
        optionAt(chosen)?.click()
      }
    }
    input.addEventListener('keydown', pressed)
    return () => input.removeEventListener('keydown', pressed)
  }, [field, id, chosen, isShown, options])

  const follow = (words: string): void => {
    rememberSearch(words)
    setIsOpen(false)
  }
  return (
    <>
      <p role="status" className="sr-only">
        {isShown && (options.length === 1 ? '1 suggestion' : `${options.length} suggestions`)}
      </p>
      <div
        ref={list}
        hidden={!isShown}
        className="absolute inset-x-0 top-full z-40 mt-1 max-h-[min(70dvh,34rem)] min-w-72 overflow-y-auto rounded-md border border-line bg-surface text-ink shadow-menu"
      >
        <div id={id} role="listbox" aria-label={text === '' ? 'Recent searches' : 'Suggestions'}>
          {options.map(({ href, words, product }, at) => (
            <a
              key={product?._id ?? words}
              id={`${id}-${at}`}
              href={href}
              role="option"
              aria-selected={at === chosen}
              tabIndex={-1}
              onPointerDown={(event) => event.preventDefault()} // the focus stays in the field
              onClick={() => follow(product ? text : words)}
              className="flex min-h-11 items-center gap-3 px-3 py-1.5 hover:bg-ice aria-selected:bg-ice"
            >
              {product ? (
                <SuggestedProduct product={product} now={now} />
              ) : (
                <>
                  <Icon name="search" className="size-4 shrink-0 text-slate" />
                  <span className="wrap-anywhere">{words}</span>
                </>
              )}
            </a>
          ))}
        </div>
        {text === '' && recent.length > 0 && (
          <button
            type="button"
            className="link mx-3 my-1 tap"
            onClick={() => {
              forgetSearches()
              setRecent([])
              field.current?.focus()
            }}
          >
            Clear recent searches
          </button>
        )}
      </div>
    </>
  )
}

/** A product in a list of suggestions: picture, name, price, and whether there is any. */
export function SuggestedProduct({ product, now }: { product: ProductCard; now: AsOf }) {
  const { image, title, price, discount, unit, box, stock, saleStopped } = product
  const bestBy = box && freshnessAt(box, now).bestBy
  const notes = [
    priceLabel(centsFromDecimal(price), discount, unit),
    stock === 0 && (saleStopped ? NOT_ON_SALE : 'Out of stock'),
    stock > 0 && bestBy && `best by ${dayText(bestBy)}`,
  ]
  return (
    <>
      <span className="block h-11 w-16 shrink-0 overflow-hidden rounded bg-ice">
        {image && <Picture image={image} alt="" eager sizes="4rem" className="size-full object-cover" />}
      </span>
      <span>
        <span className="block font-semibold leading-tight wrap-anywhere">{title}</span>
        <span className="block muted">{notes.filter(Boolean).join(', ')}</span>
      </span>
    </>
  )
}
