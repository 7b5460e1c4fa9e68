import type { Box } from '@befaqt/domain/box'
import { Time } from '#web/time/time.tsx'
import { DescriptionItem, DescriptionList } from './description-list.tsx'
import { Panel } from './panel.tsx'
import { RecordImage } from './record-image.tsx'

/** Where and how the fish was caught; not there without data. Source: spec §2. */
export function CatchPanel({ catchProv }: { catchProv: NonNullable<Box['catchProv']> }) {
  const { species, size, time, locationCodeLat, locationCodeLong, method, note, img } = catchProv
  const location = [locationCodeLat, locationCodeLong].flatMap((part) =>
    part === undefined || part === '' ? [] : String(part).replace('-', '−'),
  )
  return (
    <Panel title="Catch provenance" origin="declared">
      <div className="grid items-start gap-8 lg:grid-cols-[1fr_28rem]">
        <DescriptionList>
          <DescriptionItem name="Species">{species}</DescriptionItem>
          <DescriptionItem name="Size">{size}</DescriptionItem>
          <DescriptionItem name="Date and time">
            <Time at={time} />
          </DescriptionItem>
          <DescriptionItem name="Location code">{location.join(' / ')}</DescriptionItem>
          <DescriptionItem name="Method">{method && `${method} fishing`}</DescriptionItem>
          <DescriptionItem name="Note">{note}</DescriptionItem>
        </DescriptionList>
        <RecordImage url={img} alt={`The catch: ${species}`} className="no-print" />
      </div>
    </Panel>
  )
}
