import { mapLink, type PickUpPlace as Place, pickUpText } from '@befaqt/domain/place'
import { useSite } from '#web/root-data.ts'

/** Where an order is picked up, and the way there. @param at as was said when it was placed; left out: as of now */
export function PickUpPlace({ at }: { at?: Place | undefined }) {
  const site = useSite()
  const place = at ?? site?.pickUp
  if (!place) return null
  return (
    <span className="block">
      {pickUpText(place)},{' '}
      <a className="link" href={mapLink(place)} target="_blank" rel="noreferrer">
        on a map
      </a>
    </span>
  )
}
