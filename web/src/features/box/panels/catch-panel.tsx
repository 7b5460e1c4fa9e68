import type { Box } from '@befaqt/domain/box'
import { Time } from '#web/time/time.tsx'
import { Fact, Facts } from './description-list.tsx'
import { Panel } from './panel.tsx'
import { RecordImage } from './record-image.tsx'

/** Where and how the fish was caught; not there without data. Source: spec §2. */
export function CatchPanel({ catchProv }: { catchProv: NonNullable<Box['catchProv']> }) {
  const { species, size, time, locationCodeLat, locationCodeLong, method, note, img } = catchProv
  const location = [locationCodeLat, locationCodeLong].filter((part) => part !== undefined && part !== '')
  return (
    <Panel title="Catch provenance">
      <div className="grid items-start gap-8 lg:grid-cols-[1fr_28rem]">
        <Facts>
          <Fact name="Species" origin="declared">
            {species}
          </Fact>
          <Fact name="Size" origin="declared">
            {size}
          </Fact>
          <Fact name="Date and time" origin="declared">
            <Time at={time} />
          </Fact>
          <Fact name="Location code" origin="declared">
            {location.join(' / ')}
          </Fact>
          <Fact name="Method" origin="declared">
            {method && `${method} fishing`}
          </Fact>
          <Fact name="Note" origin="declared">
            {note}
          </Fact>
        </Facts>
        <RecordImage address={img} alt={`The catch: ${species}`} />
      </div>
    </Panel>
  )
}
