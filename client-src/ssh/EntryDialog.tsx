/** The one form of a machine: for a new entry, for one that is edited, and for a connection that is not saved. */
import { useEffect, useRef, useState } from 'react'
import { Dialog } from './Dialog.tsx'
import { EntryAuth } from './EntryAuth.tsx'
import { EntryOptions } from './EntryOptions.tsx'
import { EMPTY_FORM, draftOf, formOf, refOf, type EntryField, type EntryForm, type FieldErrors } from './entry-form.ts'
import { TextField } from './Field.tsx'
import type { BookProps, FormPart } from './ssh-props.ts'
import { TestReport, type TestState } from './TestReport.tsx'
import css from './ssh.module.css'

const NONE: FieldErrors = new Set()

export function EntryDialog({ name, ...props }: BookProps & { name: string | null }) {
  const { t, book, requests, sayError, onClose, onConnect } = props
  const [before] = useState(() => book.entries.find((entry) => entry.name === name) ?? null)
  const [form, setForm] = useState(() => (before === null ? EMPTY_FORM : formOf(before)))
  const [errors, setErrors] = useState(NONE)
  const [failure, setFailure] = useState<string | null>(null)
  const [isSaving, setSaving] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const { test, startTest, stopTest } = useTest(requests)

  const errorOf = (field: EntryField): string | null =>
    errors.has(field) ? t(`invalid.${field}` as Parameters<typeof t>[0]) : null
  const onChange = (change: Partial<EntryForm>): void => {
    setForm((now) => ({ ...now, ...change }))
    setErrors((now) => new Set([...now].filter((field) => !(field in change))))
    setFailure(null)
    stopTest()
  }
  const refuse = (wrong: FieldErrors): void => {
    setErrors(wrong)
    // The fields know their errors only after this render.
    requestAnimationFrame(() => root.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  const save = async (): Promise<boolean> => {
    const draft = draftOf(form, before, book.canStore)
    if ('errors' in draft) {
      refuse(draft.errors)
      return false
    }
    if (isSaving) return false
    setSaving(true)
    setFailure(null)
    try {
      await requests.save(draft.value, before?.name ?? null)
      return true
    } catch (error) {
      setFailure(sayError(error))
      return false
    } finally {
      setSaving(false)
    }
  }
  const handleSave = (): void => {
    void save().then((isSaved) => {
      if (isSaved) onClose()
    })
  }
  const handleTest = (): void => {
    const ref = refOf(form, before)
    if ('errors' in ref) refuse(ref.errors)
    else startTest(ref.value)
  }
  const isUnnamed = before === null && form.name.trim() === ''
  const handleConnect = (): void => {
    if (isUnnamed) {
      const ref = refOf(form, before)
      if ('errors' in ref) refuse(ref.errors)
      else onConnect(ref.value)
      return
    }
    void save().then((isSaved) => {
      if (isSaved) onConnect({ book: form.name.trim() })
    })
  }

  const part: FormPart = { t, book, form, before, errorOf, onChange }
  const { Button } = props.kit
  return (
    <Dialog
      kit={props.kit}
      name="entry"
      title={before === null ? t('entry.new') : t('entry.edit', { name: before.name })}
      closeLabel={t('cancel')}
      onClose={onClose}
      footer={
        <div className={css['buttons']}>
          <Button variant="ghost" onClick={test?.kind === 'running' ? stopTest : handleTest}>
            {test === null ? t('test') : test.kind === 'running' ? t('test.cancel') : t('test.again')}
          </Button>
          <Button variant="outline" onClick={handleSave}>
            {isSaving ? t('saving') : t('save')}
          </Button>
          <Button variant="primary" onClick={handleConnect}>
            {isUnnamed ? t('connect') : t('saveAndConnect')}
          </Button>
        </div>
      }
    >
      <div className={css['form']} ref={root}>
        <fieldset className={css['section']}>
          <legend>{t('section.connection')}</legend>
          <TextField
            name="name"
            label={t('field.name')}
            about={before === null ? t('name.forSaving') : undefined}
            error={errorOf('name')}
            value={form.name}
            isFirst
            onChange={(next) => {
              onChange({ name: next })
            }}
          />
          <TextField
            name="host"
            label={t('field.host')}
            error={errorOf('host')}
            value={form.host}
            onChange={(host) => {
              onChange({ host })
            }}
          />
          <TextField
            name="port"
            label={t('field.port')}
            error={errorOf('port')}
            value={form.port}
            isNumber
            onChange={(port) => {
              onChange({ port })
            }}
          />
          <TextField
            name="username"
            label={t('field.username')}
            error={errorOf('username')}
            value={form.username}
            onChange={(username) => {
              onChange({ username })
            }}
          />
        </fieldset>
        <EntryAuth {...part} />
        <EntryOptions {...part} />
        <TestReport t={t} sayError={sayError} state={test} />
        <p className={css['bad']} role="alert">
          {failure}
        </p>
      </div>
    </Dialog>
  )
}

/** One test at a time; what it says is of the form as it was when it began. */
function useTest(requests: BookProps['requests']) {
  const [test, setTest] = useState<TestState | null>(null)
  const cancel = useRef<(() => void) | null>(null)
  const stopTest = (): void => {
    cancel.current?.()
    cancel.current = null
    setTest(null)
  }
  const startTest = (host: Parameters<BookProps['requests']['test']>[0]): void => {
    stopTest()
    const running = requests.test(host)
    let isWanted = true
    cancel.current = () => {
      if (isWanted) running.cancel()
      isWanted = false
    }
    const settle = (state: TestState): void => {
      if (!isWanted) return
      isWanted = false
      setTest(state)
    }
    setTest({ kind: 'running' })
    running.report.then(
      (report) => {
        settle({ kind: 'done', report })
      },
      (error: unknown) => {
        settle({ kind: 'failed', error })
      },
    )
  }
  useEffect(
    () => () => {
      cancel.current?.()
    },
    [],
  )
  return { test, startTest, stopTest }
}
