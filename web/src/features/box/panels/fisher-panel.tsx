import type { Box } from '@befaqt/domain/box'
import { DescriptionItem, DescriptionList } from './description-list.tsx'
import { Panel } from './panel.tsx'

/** Who caught the fish. Source: spec §2. */
export function FisherPanel({ fisher, sample }: { fisher: Box['fisher']; sample: boolean }) {
  return (
    <Panel title="Fisher">
      <DescriptionList>
        <DescriptionItem name="ID" origin="declared">
          {fisher.traderID}
        </DescriptionItem>
        <DescriptionItem name="Name" origin="declared">
          {fisher.traderName}
        </DescriptionItem>
        <DescriptionItem name="Company" origin="declared">
          {fisher.companyName}
        </DescriptionItem>
        <DescriptionItem name="Boat" origin="declared">
          {fisher.boat}
        </DescriptionItem>
        <DescriptionItem name="Address" origin="declared">
          {fisher.address}
        </DescriptionItem>
      </DescriptionList>
      {sample && <p className="mt-4 text-slate text-sm">Sample: this trader and this boat are invented.</p>}
    </Panel>
  )
}
