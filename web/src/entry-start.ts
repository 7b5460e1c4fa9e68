/*
 * The only script that a page runs at once. The page's own script, 100 KB that nothing on the screen needs, is fetched
 * when what can be seen is there, so that pictures and fonts have the line to themselves; sooner when the visitor
 * already does something, and at the latest after two seconds.
 */
const LONGEST_WAIT_MS = 2000
const SIGNS = ['pointerdown', 'keydown']

const { modules = '', entry = '' } = document.querySelector<HTMLElement>('script[data-entry]')?.dataset ?? {}
const until = new AbortController()

function begin(): void {
  if (until.signal.aborted) return
  until.abort()
  for (const href of modules.split(' ')) {
    const link = document.createElement('link')
    Object.assign(link, { rel: 'modulepreload', href })
    document.head.append(link)
  }
  void import(/* @vite-ignore */ entry)
}

/** After the frame that shows what was loaded last. */
const afterPaint = () => requestAnimationFrame(() => setTimeout(begin))

const { signal } = until
for (const sign of SIGNS) window.addEventListener(sign, begin, { signal, capture: true, passive: true })
if (document.readyState === 'complete') afterPaint()
else window.addEventListener('load', afterPaint, { signal })
setTimeout(begin, LONGEST_WAIT_MS)
