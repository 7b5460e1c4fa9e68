import { boxPath } from '@befaqt/domain/page-paths'
import { keptPolicy, rememberedBoxes } from '#web/features/box/check/kept-by-browser.ts'
import type { FreshnessSaid, MarketDay } from './freshness-words.ts'
import type { StarsOrder } from './freshness-worker.ts'

/*
 * Checks the stars of cards and product pages while they are looked at. The words beside them are rendered as the shop's, so
 * pages need none of this at their start; what is found is put in their place, which has its room.
 */

/** Checks at a time, and in all on one page: of the others the words stay the shop's. */
const AT_ONCE = 3
const MOST = 24
/** As long as the worker believes what it found. */
const KEPT_MS = 120_000
const SILENCE_MS = 30_000
const NOT_CHECKED = '; not checked: no connection'

/** When boxes were asked about. */
const known = new Map<string, number>()
/** Words in the window that wait for their check, and those whose check reached nothing. */
const seen = new Set<HTMLElement>()
const unreached = new Set<HTMLElement>()
let running = 0
/** How many were asked about on which page. */
let asked = { page: '', count: 0 }

const observer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    const words = target as HTMLElement
    if (isIntersecting) seen.add(words)
    else seen.delete(words)
  }
  whenIdle(next)
})

window.addEventListener('online', () => {
  for (const words of unreached) if (words.isConnected) observer.observe(words)
  unreached.clear()
})

/** Checks the stars above these words when they come into the window and the browser is idle; without stars nothing. */
export function watchFreshness(words: HTMLElement): void {
  if (drawingAbove(words) && !isSaving()) observer.observe(words)
}

const drawingAbove = (words: HTMLElement) => words.previousElementSibling?.querySelector('svg')

function next(): void {
  const [words] = seen
  if (words === undefined || running >= AT_ONCE) return
  seen.delete(words)
  observer.unobserve(words)
  const { fresh = '' } = words.dataset
  if (words.isConnected && mayAsk(fresh)) {
    running++
    void ask(fresh, starsAbove(words))
      .then((said) => show(words, said))
      .finally(() => {
        running--
        whenIdle(next)
      })
  }
  next()
}

/** What is known of a box costs nothing. */
function mayAsk(boxID: string): boolean {
  const page = window.location.pathname + window.location.search
  if (asked.page !== page) asked = { page, count: 0 }
  if ((known.get(boxID) ?? 0) > Date.now() - KEPT_MS) return true
  if (asked.count >= MOST) return false
  asked.count++
  known.set(boxID, Date.now())
  return true
}

/** The zone of the market, which the page came with among all else that it shows: read once. */
let zone: string | undefined

function marketZone(): string {
  const { loaderData } = JSON.parse(document.getElementById('hydration')?.textContent ?? '{}')
  return loaderData?.root?.site.market.timeZone ?? 'Australia/Sydney'
}

/** The market's day. */
function marketDay(): MarketDay {
  zone ??= marketZone()
  const timeZone = zone
  return { timeZone, today: new Date().toLocaleDateString('sv-SE', { timeZone }) }
}

/** Does the visitor want to spend as little as possible? */
function isSaving(): boolean {
  const connection: unknown = Reflect.get(navigator, 'connection')
  return typeof connection === 'object' && connection !== null && Reflect.get(connection, 'saveData') === true
}

const whenIdle = (work: () => void): void => {
  if (typeof window.requestIdleCallback === 'function') window.requestIdleCallback(work, { timeout: 3_000 })
  else window.setTimeout(work, 200)
}

let worker: Worker | undefined

/** Asks the worker, which is started for the first. Never rejects. */
function ask(boxID: string, shown: number | null): Promise<FreshnessSaid> {
  return new Promise((resolve) => {
    const fail = () => resolve({ tone: 'shop', text: NOT_CHECKED })
    if (!navigator.onLine) {
      fail()
      return
    }
    const asked = worker ?? new Worker(new URL('./freshness-worker.ts', import.meta.url), { type: 'module' })
    worker = asked
    // Never the one that was started after it: a box that waits for this one's answer would end the checks of all others.
    const end = () => {
      asked.terminate()
      if (worker === asked) worker = undefined
      fail()
    }
    const timer = window.setTimeout(end, SILENCE_MS)
    asked.addEventListener('error', end, { once: true })
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }: MessageEvent<FreshnessSaid>) => {
      window.clearTimeout(timer)
      asked.removeEventListener('error', end)
      port1.close()
      resolve(data)
    }
    const order = { boxID, policy: keptPolicy(), seen: rememberedBoxes().get(boxID) }
    asked.postMessage({ order, shown, day: marketDay() } satisfies StarsOrder, [port2])
  })
}

/** How many stars are drawn, where that is what they are called; else null. */
function starsAbove(words: HTMLElement): number | null {
  const drawing = drawingAbove(words)
  const filled = (drawing?.querySelector('path')?.getAttribute('d') ?? '').split('M').length - 1
  return drawing?.getAttribute('aria-label') === `${filled} of 5 stars` ? filled : null
}

/** Says it. */
function show(words: HTMLElement, { tone, text }: FreshnessSaid): void {
  words.dataset.said = tone
  words.textContent = tone === 'shop' ? `${words.textContent.split(';', 1)[0]}${text}` : text
  if (tone === 'shop' && text !== '') unreached.add(words)
  if (tone === 'warn' || tone === 'bad') warn(words)
}

/**
 * Puts the words in the place of what they contradict, with the way to the box's own check. They take no more and no less
 * room than that had, as a copy: what moves up would be a jump of the page.
 */
function warn(words: HTMLElement): void {
  const whole = words.parentElement
  const shown = words.previousElementSibling
  if (whole === null || !(shown instanceof HTMLElement)) return
  whole.style.minHeight = `${whole.offsetHeight}px`
  const warning = words.cloneNode(true) as HTMLElement
  warning.setAttribute('role', 'alert')
  if (words.closest('a') === null) {
    const check = document.createElement('a')
    check.href = boxPath(words.dataset.fresh ?? '')
    check.className = 'link relative'
    check.textContent = 'See its check'
    warning.append(' ', check)
  }
  for (const part of [shown, words]) part.hidden = true
  for (const date of words.closest('section')?.querySelectorAll<HTMLElement>('[data-best-by]') ?? [])
    date.style.visibility = 'hidden'
  whole.prepend(warning)
}
