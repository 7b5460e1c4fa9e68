import type { Paged } from '@befaqt/domain/api/box-api'
import { registerBox } from '@befaqt/domain/api/endpoints/managed-boxes'
import type { LedgerHealth as Health, ManagedBox } from '@befaqt/domain/api/manage-api'
import type { Registration } from '@befaqt/domain/box-input'
import { useNavigate } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { InputField, TextAreaField } from '#web/components/field.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { useKeptForm } from '#web/forms/use-kept-form.ts'
import { FailureBanner, FormActions } from '../form-parts.tsx'
import { CreatePanel } from '../list/create-panel.tsx'
import { stages } from '../list/list-query.ts'
import { SearchedList } from '../list/searched-list.tsx'
import { ManageLayout } from '../manage-layout.tsx'
import type { Read } from '../read.ts'
import { ReadResult } from '../read-result.tsx'
import { FisherForm } from './box-forms.ts'
import { BoxActions, boxColumns, managedBoxPath } from './box-row.tsx'
import { LedgerHealth } from './ledger-health.tsx'
import { PrintLabels } from './print-labels.tsx'

export type BoxesFound = { boxes: Paged<ManagedBox>; health: Health }

const filters = [
  {
    name: 'stage',
    label: 'State',
    all: 'Any state',
    choices: stages.map((stage) => [stage, stage === 'alerts' ? 'with alerts' : stage] as const),
  },
]

/** Manage Box: find a box by where it is and what is wrong, register one, see how far the ledger is. */
export function BoxScreen({ found }: { found: Read<BoxesFound> }) {
  return (
    <ManageLayout title="Manage Box">
      <ReadResult found={found}>{(boxes) => <Boxes {...boxes} />}</ReadResult>
    </ManageLayout>
  )
}

function Boxes({ boxes, health }: BoxesFound) {
  const navigate = useNavigate()
  return (
    <>
      <CreatePanel title="Register a Box" empty={boxes.total === 0}>
        <BoxRegister onRegistered={({ boxID }) => void navigate(managedBoxPath(boxID))} />
      </CreatePanel>
      <SearchedList
        page={boxes}
        thing="box"
        things="boxes"
        hint="Box id, species or trader"
        filters={filters}
        columns={boxColumns}
        idOf={({ boxID }) => boxID}
        actions={({ boxID }) => <BoxActions boxID={boxID} />}
      />
      {boxes.rows.length > 0 && <PrintLabels boxes={boxes.rows} />}
      <div className="mt-8">
        <LedgerHealth health={health} />
      </div>
    </>
  )
}

/** Registers a box with its fisher: the first record of its history. */
function BoxRegister({ onRegistered }: { onRegistered: (made: Registration) => void }) {
  const form = useForm(FisherForm, async (input) => {
    await callApi(registerBox, { body: input })
    form.reset()
    saved()
    onRegistered(input)
  })
  const { onChange, saved } = useKeptForm({ name: 'register', form })
  const { errors } = form
  return (
    <form {...form.formProps} onChange={onChange} aria-label="Register a Box" className="grid gap-4">
      {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3">
        <InputField
          label="Box id"
          name="boxID"
          hint="As printed on the label. Can’t be changed later."
          error={errors.boxID}
        />
        <InputField label="Trader id" name="traderID" error={errors.traderID ?? errors['fisher.traderID']} />
        <InputField label="Fisher’s name" name="traderName" error={errors.traderName} />
        <InputField label="Company" name="companyName" error={errors.companyName} />
        <InputField label="Boat" name="boat" error={errors.boat} />
      </div>
      <TextAreaField label="Address" name="address" rows={2} error={errors.address} />
      <FormActions ready={form.ready} busy={form.busy} save="Register box" />
    </form>
  )
}
