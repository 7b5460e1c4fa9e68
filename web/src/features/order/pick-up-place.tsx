import { mapLink, pickUpText } from '@befaqt/domain/place'
import { useSite } from '#web/root-data.ts'

/** Where an order is picked up, and the way there. */
export function PickUpPlace() {
  const site = useSite()
  if (!site) return null
  return (
    <span className="block">
      {pickUpText(site.market)},{' '}
      <a className="link" href={mapLink(site.market)} target="_blank" rel="noreferrer">
        on a map
      </a>
    </span>
  )
}
