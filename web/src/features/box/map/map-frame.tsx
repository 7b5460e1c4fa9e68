import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { Alert } from '#web/components/alert.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { useNear } from '#web/components/use-near.ts'

type Removable = { remove: () => void }

type Props<LiveMap> = {
  label: string
  className: string
  /** Draws the map; it is drawn anew whenever this is another function. */
  draw: (element: HTMLElement) => Promise<LiveMap>
  /** What was drawn; null when it is gone. */
  onMap: (map: LiveMap | null) => void
  /** Shown in the alert beside what failed. */
  help?: ReactNode
  /** Shown in the frame where the browser runs no script. */
  withoutScript?: ReactNode
}

/**
 * A map in its frame, fetched when the visitor comes near it. It fails alone: the page around it stays, and the map
 * can be tried again.
 */
export function MapFrame<LiveMap extends Removable>(props: Props<LiveMap>) {
  const [attempt, setAttempt] = useState(0)
  return (
    <Attempt key={attempt} {...props} retried={attempt > 0} onRetry={() => setAttempt((last) => last + 1)} />
  )
}

type Stage = 'loading' | 'ready' | 'failed'

/** Draws the map once the frame is near. The current map is replaced when the next is ready. */
function useMap<LiveMap extends Removable>(
  frame: RefObject<HTMLElement | null>,
  { draw, onMap }: Pick<Props<LiveMap>, 'draw' | 'onMap'>,
) {
  const [stage, setStage] = useState<Stage>('loading')
  const near = useNear(frame)
  const drawn = useRef<{ map: LiveMap; ground: HTMLElement }>(null)
  useEffect(() => {
    if (!near || !frame.current) return
    const ground = frame.current.appendChild(document.createElement('div'))
    ground.className = 'track-map invisible absolute inset-0'
    let gone = false
    const replace = (map: LiveMap | null) => {
      drawn.current?.map.remove()
      drawn.current?.ground.remove()
      drawn.current = map && { map, ground }
      onMap(map)
    }
    draw(ground).then(
      (map) => {
        if (gone) return map.remove()
        replace(map)
        ground.classList.remove('invisible')
        setStage('ready')
      },
      (error: unknown) => {
        console.error(error)
        ground.remove()
        if (gone) return
        replace(null)
        setStage('failed')
      },
    )
    return () => {
      gone = true
      if (drawn.current?.ground !== ground) ground.remove()
    }
  }, [frame, near, draw, onMap])
  useEffect(
    () => () => {
      drawn.current?.map.remove()
      drawn.current?.ground.remove()
      drawn.current = null
      onMap(null)
    },
    [onMap],
  )
  return stage
}

type AttemptProps<LiveMap> = Props<LiveMap> & { retried: boolean; onRetry: () => void }

function Attempt<LiveMap extends Removable>(props: AttemptProps<LiveMap>) {
  const { label, className, help, withoutScript, retried, onRetry } = props
  const frame = useRef<HTMLElement>(null)
  const stage = useMap(frame, props)
  useEffect(() => {
    if (retried) frame.current?.focus()
  }, [retried])
  return (
    <section
      ref={frame}
      aria-label={label}
      tabIndex={-1}
      className={`relative isolate w-full overflow-hidden rounded-lg border border-line bg-sea ${className} ${stage === 'ready' ? '' : 'no-print'}`}
    >
      <div className="hidden p-4 noscript:block">{withoutScript ?? 'The map needs JavaScript.'}</div>
      {stage === 'loading' && (
        <div className="absolute top-3 right-3 rounded-md bg-surface px-3 py-2 noscript:hidden">
          <Spinner label="Loading the map" />
        </div>
      )}
      {stage === 'failed' && (
        <Alert tone="bad" className="m-3">
          <p>Map cannot be loaded right now, sorry. {help}</p>
          <button type="button" onClick={onRetry} className="min-h-11 font-semibold underline">
            Try again
          </button>
        </Alert>
      )}
    </section>
  )
}
