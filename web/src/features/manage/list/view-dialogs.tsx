import type { DeskView } from '@befaqt/domain/api/desk-api'
import { addView, changeView, openWithView, removeView } from '@befaqt/domain/api/endpoints/manage'
import { type DeskList, MAX_VIEW_NAME } from '@befaqt/domain/desk-views'
import { useSearchParams } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { useCall } from '#web/api/use-call.ts'
import { Button } from '#web/components/button.tsx'
import { CheckboxField, InputField } from '#web/components/field.tsx'
import { Confirm, FailureBanner } from '../form-parts.tsx'

const NameField = ({ name = '' }: { name?: string }) => (
  <InputField label="Name" name="name" maxLength={MAX_VIEW_NAME} defaultValue={name} autoComplete="off" />
)

const SharedField = ({ isShared = false }: { isShared?: boolean }) => (
  <CheckboxField
    label="Everybody who may see this list has it, too"
    name="shared"
    defaultChecked={isShared}
  />
)

const entered = (form: FormData) => ({ name: `${form.get('name')}`, shared: form.has('shared') })

type AddProps = {
  list: DeskList
  asked: string
  onClose: () => void
  onAdded: (view: DeskView) => Promise<void>
}

/** Keeps the list as it is shown, by a name. */
export function ViewAdd({ list, asked, onClose, onAdded }: AddProps) {
  const [params] = useSearchParams()
  const losesSearch = params.has('q') && !new URLSearchParams(asked).has('q')
  return (
    <Confirm
      action="Save view"
      onClose={onClose}
      onConfirm={async (form) =>
        onAdded(await callApi(addView, { body: { list, query: asked, ...entered(form) } }))
      }
    >
      <NameField />
      <SharedField />
      {losesSearch && <p className="muted">What is searched for is not kept: it may be somebody’s name.</p>}
    </Confirm>
  )
}

type SettingsProps = {
  view: DeskView
  /** Can the list open with it? */
  mayOpen: boolean
  onClose: () => void
  onDone: (what: string) => Promise<void>
  onDeleted: () => Promise<void>
}

/** Renames a view, shares it, deletes it, or opens the list with it. */
export function ViewSettings({ view, mayOpen, onClose, onDone, onDeleted }: SettingsProps) {
  const { _id: id, list, name, owner, editable, opens, shared, version } = view
  const { busy, failure, run } = useCall()
  const open = () =>
    run(async () => {
      await callApi(openWithView, { body: { list, view: opens ? null : id } })
      await onDone(opens ? 'The list opens as usual.' : `The list opens with ${name} from now on.`)
    })
  const remove = () =>
    run(async () => {
      await callApi(removeView, { params: { id } })
      await onDeleted()
    })
  return (
    <div className="grid gap-6">
      {failure !== null && <FailureBanner error={failure} />}
      {owner !== null && <p>{owner} keeps this view and shares it.</p>}
      {editable && (
        <Confirm
          action="Save"
          onClose={onClose}
          onConfirm={async (form) => {
            const changed = await callApi(changeView, { params: { id }, body: entered(form), version })
            await onDone(`Saved ${changed.name}.`)
          }}
        >
          <NameField name={name} />
          <SharedField isShared={shared} />
        </Confirm>
      )}
      <div className="flex flex-wrap gap-3 border-line border-t pt-4">
        {(mayOpen || opens) && (
          <Button variant="outline" aria-busy={busy} onClick={() => void open()}>
            {opens ? 'Open the list as usual' : 'Open the list with this view'}
          </Button>
        )}
        {editable && (
          <Button variant="outline" aria-busy={busy} onClick={() => void remove()}>
            Delete view
          </Button>
        )}
      </div>
    </div>
  )
}
