import { el } from './dom.ts'

/** As browsers have it; TypeScript doesn't know it yet. Source: W3C Shape Detection API. */
type Detector = { detect: (source: HTMLVideoElement) => Promise<{ rawValue: string }[]> }
declare const BarcodeDetector: { new (): Detector }

/** Milliseconds between two looks at the picture. */
const EVERY_MS = 250

/** Can this browser read codes by its camera? */
export const canScan = (): boolean =>
  'BarcodeDetector' in globalThis && 'mediaDevices' in navigator && isSecureContext

/**
 * Shows the camera's picture in `place` until `read` makes something of a code in it, or the visitor stops it; then null.
 * Rejects when there is no camera, or it was not allowed.
 */
export async function scan<T>(place: HTMLElement, read: (text: string) => T | null): Promise<T | null> {
  const stop = el('button', { type: 'button', class: 'plain' }, 'Stop the camera')
  const video = el('video', { playsinline: true, 'aria-label': 'Picture of the camera' })
  video.muted = true
  const stopped = new AbortController()
  stop.addEventListener('click', () => stopped.abort())
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
  place.replaceChildren(video, stop)
  try {
    video.srcObject = stream
    await video.play()
    const detector = new BarcodeDetector()
    while (!stopped.signal.aborted) {
      for (const { rawValue } of await detector.detect(video)) {
        const found = read(rawValue)
        if (found !== null) return found
      }
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
    }
    return null
  } finally {
    for (const track of stream.getTracks()) track.stop()
    place.replaceChildren()
  }
}
