import type { Box } from '@befaqt/domain/box'
import { DescriptionItem, DescriptionList } from './description-list.tsx'
import { Panel } from './panel.tsx'

/** Who caught the fish. Source: spec §2. */
export function FisherPanel({ fisher, sample }: { fisher: Box['fisher']; sample: boolean }) {
  return (
    <Panel title="Fisher" origin="declared">
      <DescriptionList>
        <DescriptionItem name="ID">{fisher.traderID}</DescriptionItem>
        <DescriptionItem name="Name">{fisher.traderName}</DescriptionItem>
        <DescriptionItem name="Company">{fisher.companyName}</DescriptionItem>
        <DescriptionItem name="Boat">{fisher.boat}</DescriptionItem>
        <DescriptionItem name="Address">{fisher.address}</DescriptionItem>
      </DescriptionList>
      {sample && <p className="mt-4 text-slate text-sm">Sample: this trader and this boat are invented.</p>}
    </Panel>
  )
}
