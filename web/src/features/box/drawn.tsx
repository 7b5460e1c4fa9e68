import {
  Component,
  createContext,
  Fragment,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import { hadMismatch, onMismatch, useHydrated } from '#web/components/hydration.tsx'
import { provenTones, useVerdict } from './check/page-check.tsx'

/*
 * A page that a server rendered is hydrated: React takes its elements over as they came, attributes and all. Once the
 * page is proven, what shows facts is drawn anew, so that it comes from the proven data alone. Source: protocol §6.8.
 */

/** `isDrawn`: by this browser, from the data; `differed`: what was served, or became of it, was something else. */
type Redrawing = { isDrawn: boolean; differed: boolean }

const Drawing = createContext<Redrawing>({ isDrawn: false, differed: false })

const never = () => false

/** Around a page that is checked: draws the parts in `Drawn` again once it is proven, and says if they differed. */
export function RedrawnWhenProven({ children }: { children: ReactNode }) {
  const [wasServed] = useState(!useHydrated())
  const [isFresh, setFresh] = useState(false)
  const [textDiffered, setTextDiffered] = useState(false)
  const htmlDiffered = useSyncExternalStore(onMismatch, hadMismatch, never)
  const { tone } = useVerdict()
  const isProven = provenTones.has(tone)
  useEffect(() => {
    if (isProven && wasServed) startTransition(() => setFresh(true))
  }, [isProven, wasServed])
  const isDrawn = isFresh || !wasServed // React draws the whole anew when its text differed
  const differed = isDrawn && (htmlDiffered || textDiffered)
  const drawing = useMemo(() => ({ isDrawn, differed }), [isDrawn, differed])
  return (
    <Drawing value={drawing}>
      <Watch isFresh={isFresh} onDifference={() => setTextDiffered(true)}>
        {children}
      </Watch>
    </Drawing>
  )
}

/** Whether the page around this is drawn from its data, and whether what was served had differed from them. */
export const useDrawing = (): Redrawing => useContext(Drawing)

/** A part that is drawn again when its page is proven. */
export const Drawn = ({ children }: { children: ReactNode }) => (
  <Fragment key={useContext(Drawing).isDrawn ? 'proven' : 'served'}>{children}</Fragment>
)

type WatchProps = { isFresh: boolean; onDifference: () => void; children: ReactNode }
type Before = { text: string; focus: number }

const FOCUSABLE = 'a, button, input, select, textarea, summary, [tabindex]'
const main = (): HTMLElement | null => document.querySelector('main')
const focusable = (): HTMLElement[] => [...(main()?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])]
/** Names and values, which are the same before and after. */
const factsText = (): string =>
  [...(main()?.querySelectorAll('h1, dl') ?? [])].map((one) => one.textContent).join()

/** Looks right before and after the parts are drawn again: at the text, and at what has the focus, which stays. */
class Watch extends Component<WatchProps> {
  override getSnapshotBeforeUpdate({ isFresh }: WatchProps): Before | null {
    if (isFresh === this.props.isFresh) return null
    const { activeElement } = document
    return { text: factsText(), focus: focusable().indexOf(activeElement as HTMLElement) }
  }

  override componentDidUpdate(_props: WatchProps, _state: unknown, before: Before | null): void {
    if (before === null) return
    if (before.focus >= 0) focusable()[before.focus]?.focus({ preventScroll: true })
    if (before.text !== factsText()) this.props.onDifference()
  }

  override render(): ReactNode {
    return this.props.children
  }
}
