/*
 * The only script that a page runs at once. The page's JavaScript, 100 KB that nothing on the screen needs, is fetched
 * when what can be seen is there, so that pictures and fonts have the bandwidth to themselves; sooner when the visitor
 * already does something, and at the latest after two seconds.
 */
const MAX_WAIT_MS = 2000
const INTERACTION_EVENTS = ['pointerdown', 'keydown']

const { modules = '', entry = '' } = document.querySelector<HTMLElement>('script[data-entry]')?.dataset ?? {}
const controller = new AbortController()

const NOTICE = 'script-failure'

/**
 * Says at the top of the page that its script could not be had, and lets the visitor reload: until then nothing that
 * needs script answers. Plain DOM, since what draws pages is just what is missing, and in this
 * file, since any other could be missing too.
 */
function showScriptFailure(): void {
  if (document.getElementById(NOTICE)) return
  const notice = document.createElement('div')
  notice.id = NOTICE
  notice.role = 'alert'
  notice.className = 'on-night sticky top-0 z-50 bg-night text-on-night'
  const line = document.createElement('p')
  line.className = 'wrap flex flex-wrap items-center gap-x-4 gap-y-1 py-2'
  line.append('Part of this page did not load, so some buttons don’t work yet. Check your connection. ')
  const again = document.createElement('button')
  again.type = 'button'
  again.className = 'min-h-11 font-semibold underline underline-offset-4'
  again.textContent = 'Try again'
  again.addEventListener('click', () => window.location.reload())
  line.append(again)
  notice.append(line)
  document.body.prepend(notice)
}

function begin(): void {
  if (controller.signal.aborted) return
  controller.abort()
  for (const href of modules.split(' ').filter(Boolean)) {
    const link = document.createElement('link')
    Object.assign(link, { rel: 'modulepreload', href })
    document.head.append(link)
  }
  import(/* @vite-ignore */ entry).catch(showScriptFailure)
}

/** When buttons were pressed that don't answer yet, by `data-early`: done when they do (features/cart/early-tap.ts). */
const earlyTaps = new Map<string, number>()
Object.assign(globalThis, { earlyTaps })
document.addEventListener(
  'click',
  ({ target, timeStamp }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-early]') : null
    if (!button?.dataset.early) return
    earlyTaps.set(button.dataset.early, timeStamp)
    button.dataset.tapped = '' // paler, until it answers
  },
  { capture: true },
)

/**
 * Whether this browser has no cart (features/cart/cart-store.ts), nor an order on its way (features/checkout): the pages of
 * both can say so before the page's script is there.
 */
function noteNoCart(): void {
  try {
    const { localStorage, sessionStorage } = window
    const some = localStorage.getItem('befaqt.cart') ?? sessionStorage.getItem('draft 1 checkout attempt')
    if (some === null) document.documentElement.dataset.cart = 'none'
  } catch {
    // A browser that keeps nothing is asked again by the page's script.
  }
}
noteNoCart()

/**
 * After the frame that shows what was loaded last: a picture that is there is not yet drawn, and the frame after `load`
 * can come without it.
 */
async function afterPaint(): Promise<void> {
  const pictures = document.querySelectorAll<HTMLImageElement>('img:not([loading=lazy])')
  await Promise.allSettled([...pictures].map((picture) => picture.decode()))
  requestAnimationFrame(() => setTimeout(begin))
}

// A part of the page's script can be missing although the script itself came.
window.addEventListener('script-failed', showScriptFailure)

const { signal } = controller
for (const type of INTERACTION_EVENTS)
  window.addEventListener(type, begin, { signal, capture: true, passive: true })
if (document.readyState === 'complete') void afterPaint()
else window.addEventListener('load', () => void afterPaint(), { signal })
setTimeout(begin, MAX_WAIT_MS)
