import { decodeRuuvi, RUUVI_COMPANY, type RuuviReading, ruuviName } from '@befaqt/domain/device-formats/ruuvi'

/**
 * The part of Web Bluetooth that is used: TypeScript's library has none. Source:
 * webbluetoothcg.github.io/web-bluetooth.
 */
type Bluetooth = {
  getAvailability?: () => Promise<boolean>
  requestDevice: (options: object) => Promise<BluetoothTag>
}
type BluetoothTag = EventTarget & {
  name?: string
  gatt?: Server
  /** Behind a flag in most browsers. */
  watchAdvertisements?: (options: { signal: AbortSignal }) => Promise<void>
}
type Server = { connect: () => Promise<Connected>; disconnect: () => void }
type Connected = {
  getPrimaryService: (
    uuid: string,
  ) => Promise<{ getCharacteristic: (uuid: string) => Promise<Characteristic> }>
}
type Characteristic = EventTarget & { value?: DataView; startNotifications: () => Promise<unknown> }

/** Nordic UART Service, over which a tag sends its readings while it is connected. Source: Ruuvi's documentation. */
const UART = '6e400001-b5a3-f393-e0a9-e50e24dcca9e'
const UART_NOTIFICATIONS = '6e400003-b5a3-f393-e0a9-e50e24dcca9e'
/** A tag sends every one to ten seconds. */
const TIMEOUT_MS = 30_000

const bluetooth = (): Bluetooth | undefined => Reflect.get(navigator, 'bluetooth')

/** Whether this browser has Web Bluetooth at all. */
export const canReadTags = (): boolean => bluetooth() !== undefined

/** A reading of a tag, and when it was heard by the phone's clock, RFC 3339. */
export type TagReading = { iotID: string; temperature: number; battery: number | null; at: string }

/** Why no tag was read, as a message for the person with the phone. */
export class TagFailure extends Error {
  override readonly name = 'TagFailure'
}

/**
 * Lets the browser ask for a tag nearby and reads it once: from what it sends to everybody where the browser can listen
 * to that, else over a connection. Only after a tap: browsers ask for one.
 * @throws TagFailure
 */
export async function readTag(): Promise<TagReading> {
  const api = bluetooth()
  if (api === undefined) throw new TagFailure('This browser has no Web Bluetooth.')
  if ((await api.getAvailability?.()) === false)
    throw new TagFailure('Bluetooth is off, or this phone has none. Turn it on and try again.')
  try {
    const device = await api.requestDevice({
      filters: [{ manufacturerData: [{ companyIdentifier: RUUVI_COMPANY }] }, { namePrefix: 'Ruuvi ' }],
      optionalServices: [UART],
      optionalManufacturerData: [RUUVI_COMPANY],
    })
    const reading = await (device.watchAdvertisements ? listen(device) : connect(device))
    if (reading.temperature === null)
      throw new TagFailure('The tag is there, but it measures no temperature.')
    const iotID = reading.mac === null ? (device.name ?? 'Ruuvi') : ruuviName(reading.mac)
    const { temperature, battery } = reading
    return { iotID, temperature, battery, at: new Date().toISOString() }
  } catch (error) {
    if (error instanceof TagFailure) throw error
    throw new TagFailure(failureText(error), { cause: error })
  }
}

/** Browsers say the same when nothing was found and when nothing was chosen, so that pages can't tell. */
function failureText(error: unknown): string {
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotFoundError')
    return 'No tag was chosen. If none was listed, hold the phone next to the tag and look whether Bluetooth is on.'
  if (name === 'SecurityError' || name === 'NotAllowedError')
    return 'Bluetooth is not allowed for this page. Allow it in the browser’s settings for this site.'
  return 'The tag did not answer. Hold the phone next to it and try again.'
}

/** The first reading of an event, for at most half a minute. */
async function first(
  target: EventTarget,
  type: string,
  read: (event: Event) => RuuviReading | null,
  start: (signal: AbortSignal) => Promise<unknown>,
): Promise<RuuviReading> {
  const { promise, resolve, reject } = Promise.withResolvers<RuuviReading>()
  const ended = new AbortController()
  const { signal } = ended
  const timer = setTimeout(() => reject(new Error('timeout')), TIMEOUT_MS)
  target.addEventListener(
    type,
    (event) => {
      const reading = read(event)
      if (reading !== null) resolve(reading)
    },
    { signal },
  )
  start(signal).catch(reject)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    ended.abort()
  }
}

const decode = (data: DataView | undefined): RuuviReading | null =>
  data === undefined ? null : decodeRuuvi(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))

type Advertisement = Event & { manufacturerData: ReadonlyMap<number, DataView> }
const isAdvertisement = (event: Event): event is Advertisement => 'manufacturerData' in event

const listen = (device: BluetoothTag): Promise<RuuviReading> =>
  first(
    device,
    'advertisementreceived',
    (event) => (isAdvertisement(event) ? decode(event.manufacturerData.get(RUUVI_COMPANY)) : null),
    async (signal) => device.watchAdvertisements?.({ signal }),
  )

async function connect({ gatt }: BluetoothTag): Promise<RuuviReading> {
  if (gatt === undefined) throw new Error('this tag takes no connections')
  const target = new EventTarget()
  try {
    return await first(
      target,
      'reading',
      (event) =>
        event instanceof CustomEvent && event.detail instanceof DataView ? decode(event.detail) : null,
      async (signal) => {
        const service = await (await gatt.connect()).getPrimaryService(UART)
        const source = await service.getCharacteristic(UART_NOTIFICATIONS)
        source.addEventListener(
          'characteristicvaluechanged',
          () => target.dispatchEvent(new CustomEvent<unknown>('reading', { detail: source.value })),
          { signal },
        )
        await source.startNotifications()
      },
    )
  } finally {
    gatt.disconnect()
  }
}
