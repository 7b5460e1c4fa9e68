import { type ScaleReading, scaleLines, scaleReading } from '@befaqt/domain/packing'
import { useEffect, useRef, useState } from 'react'
import { useHydrated } from '#web/components/hydration.tsx'

/** As browsers have it; TypeScript doesn't know it yet. Source: WICG Web Serial API. */
type Port = {
  open(options: { baudRate: number }): Promise<void>
  close(): Promise<void>
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>> | null
  getInfo(): { usbVendorId?: number; usbProductId?: number }
}
type Serial = { requestPort(): Promise<Port> }

/** What most scales send with unless they are set otherwise. */
const BAUD_RATE = 9_600

const serial = (): Serial | undefined =>
  'serial' in navigator ? (navigator.serial as Serial | undefined) : undefined

const hex = (id = 0): string => id.toString(16).padStart(4, '0')

/** What a scale is called in the history of a weight. */
function portName(port: Port): string {
  const { usbVendorId, usbProductId } = port.getInfo()
  return usbVendorId === undefined ? 'serial scale' : `USB scale ${hex(usbVendorId)}:${hex(usbProductId)}`
}

const LOST = 'The scale does not answer any more. Connect it again, or type the weight.'

/** Reads weights until `signal` ends or the scale is unplugged. */
async function follow(port: Port, signal: AbortSignal, onReading: (reading: ScaleReading) => void) {
  await port.open({ baudRate: BAUD_RATE })
  const reader = port.readable?.pipeThrough(new TextDecoderStream()).getReader()
  const stop = () => void reader?.cancel().catch(() => undefined)
  signal.addEventListener('abort', stop)
  try {
    let rest = ''
    while (reader && !signal.aborted) {
      const { value, done } = await reader.read()
      if (done) break
      const next = scaleLines(rest, value)
      rest = next.rest
      const reading = next.lines.map(scaleReading).findLast((one) => one !== null)
      if (reading) onReading(reading)
    }
  } finally {
    signal.removeEventListener('abort', stop)
    await port.close().catch(() => undefined)
  }
}

/** A scale that is plugged into this device and sends its weight continuously, where the browser can read it. */
export function useScale() {
  const able = useHydrated() && serial() !== undefined
  const [scale, setScale] = useState<{ name: string; reading: ScaleReading | null } | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const ended = useRef<AbortController | null>(null)
  useEffect(() => () => ended.current?.abort(), [])
  const connect = async () => {
    setFailure(null)
    const mine = new AbortController()
    try {
      const port = await serial()?.requestPort()
      if (!port) return
      ended.current?.abort()
      ended.current = mine
      const name = portName(port)
      setScale({ name, reading: null })
      await follow(port, mine.signal, (reading) => setScale({ name, reading }))
      if (!mine.signal.aborted) setFailure(LOST)
    } catch (error) {
      const isDismissed = error instanceof Error && error.name === 'NotFoundError'
      if (!mine.signal.aborted && !isDismissed) setFailure(LOST)
    } finally {
      if (ended.current === mine) setScale(null)
    }
  }
  return {
    able,
    scale,
    failure,
    connect: () => void connect(),
    disconnect: () => {
      ended.current?.abort()
      setScale(null)
    },
  }
}
