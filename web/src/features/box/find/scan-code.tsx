import { useEffect, useRef, useState } from 'react'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { boxNumber } from './box-number.ts'

/** As browsers have it; TypeScript doesn't know it yet. Source: W3C Shape Detection API. */
type Detector = { detect: (source: HTMLVideoElement) => Promise<{ rawValue: string }[]> }
declare const BarcodeDetector: { new (): Detector }

/** Between two looks at the picture. */
const EVERY_MS = 250

const problems: Readonly<Record<string, string>> = {
  NotAllowedError: 'The camera was not allowed. Allow it in the settings of this site, or type the number.',
  NotFoundError: 'This device has no camera that can be used.',
  NotReadableError: 'The camera is in use by another app.',
}
const FAILED = 'The camera could not be started. Type the number instead.'
const NO_BOX = 'That code doesn’t belong to a box. Point the camera at the code on the label.'

/** What `look` first finds in the camera's picture. Stops the camera when it ends, and when `signal` does. */
async function watch(
  video: HTMLVideoElement,
  signal: AbortSignal,
  look: (text: string) => void,
): Promise<void> {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
  const stop = () => {
    for (const track of stream.getTracks()) track.stop()
  }
  if (signal.aborted) return stop()
  signal.addEventListener('abort', stop)
  video.srcObject = stream
  await video.play()
  const detector = new BarcodeDetector()
  while (!signal.aborted) {
    const codes = await detector.detect(video)
    for (const { rawValue } of codes) if (!signal.aborted) look(rawValue)
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
  }
}

type Props = {
  onFound: (found: string) => void
  onStop: () => void
  /** What is looked for in a code; null: the code is another one. The number of a box by default. */
  read?: (text: string) => string | null
  /** Another kind of code that is looked for too; it hands over what the whole code says. */
  also?: (text: string) => boolean
  /** What is said of another code. */
  otherwise?: string
}

/** The camera's picture; hands over what the first code in it says, as a box's number. */
export default function ScanCode({ onFound, onStop, read = boxNumber, also, otherwise = NO_BOX }: Props) {
  const video = useRef<HTMLVideoElement>(null)
  const found = useRef({ onFound, read, also, otherwise })
  const [problem, setProblem] = useState<string | null>(null)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    found.current = { onFound, read, also, otherwise }
  })
  useEffect(() => {
    if (!video.current) return
    const ended = new AbortController()
    const look = (text: string) => {
      const said = found.current.also?.(text) ? text : found.current.read(text)
      if (said === null) return setProblem(found.current.otherwise)
      ended.abort()
      found.current.onFound(said)
    }
    watch(video.current, ended.signal, look).catch((error: unknown) => {
      if (ended.signal.aborted) return
      setFailed(true)
      setProblem((error instanceof Error && problems[error.name]) || FAILED)
    })
    return () => ended.abort()
  }, [])
  return (
    <div className="grid gap-4">
      {!failed && (
        <video
          ref={video}
          muted
          playsInline
          aria-label="Picture of the camera"
          className="aspect-square w-full rounded-md bg-night object-cover"
        />
      )}
      {problem && <Alert tone={failed ? 'bad' : 'warn'}>{problem}</Alert>}
      <div>
        <Button variant="outline" onClick={onStop}>
          {failed ? 'Close' : 'Stop the camera'}
        </Button>
      </div>
    </div>
  )
}
