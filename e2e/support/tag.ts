import type { Page } from 'playwright-core'

/** What the browser's Bluetooth does in place of a tag, which no test machine has: all else is the page's own. */
type Tag = 'missing' | 'off' | 'refused' | 'none found' | 'silent' | { heard: string } | { connected: string }

/** Makes the page's Bluetooth behave so from now on. */
export const beTag = (page: Page, tag: Tag) =>
  page.evaluate((tag) => {
    const bytes = (hex: string) =>
      new DataView(Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)).buffer)
    const device = Object.assign(new EventTarget(), { name: 'Ruuvi 884F' })
    if (typeof tag === 'object' && 'heard' in tag) {
      const manufacturerData = new Map([[0x0499, bytes(tag.heard)]])
      const heard = Object.assign(new Event('advertisementreceived'), { manufacturerData })
      Object.assign(device, { watchAdvertisements: async () => void device.dispatchEvent(heard) })
    }
    if (typeof tag === 'object' && 'connected' in tag) {
      const value = bytes(tag.connected)
      const source = Object.assign(new EventTarget(), { value, startNotifications: async () => undefined })
      source.startNotifications = async () =>
        void source.dispatchEvent(new Event('characteristicvaluechanged'))
      const service = { getCharacteristic: async () => source }
      const server = { getPrimaryService: async () => service }
      Object.assign(device, { gatt: { connect: async () => server, disconnect: () => undefined } })
    }
    const requestDevice = async () => {
      if (tag === 'refused') throw new DOMException('', 'NotAllowedError')
      if (tag === 'none found') throw new DOMException('', 'NotFoundError')
      return device
    }
    const value =
      tag === 'missing' ? undefined : { getAvailability: async () => tag !== 'off', requestDevice }
    Object.defineProperty(navigator, 'bluetooth', { value, configurable: true })
  }, tag)
