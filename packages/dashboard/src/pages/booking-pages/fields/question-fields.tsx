/** Questions that guests answer when they book. */
import type { ReactNode } from 'react'
import { Button } from '../../../components/button.tsx'
import { AreaField, CheckField, SelectField, TextField } from '../../../components/form.tsx'
import { Icon } from '../../../components/icons.tsx'
import { hasOptions, moved, newQuestion, type Question, type QuestionType, questionTypes } from '../questions.ts'

const linesOf = (text: string): string[] => text.split(/\r?\n/)

function Details({ at, question, onChange }: { at: string; question: Question; onChange(question: Question): void }) {
  const { key, type } = question
  return (
    <>
      {hasOptions(type) && (
        <AreaField
          label="Options"
          name={`${at}.options`}
          rows={3}
          hint="One per line."
          value={(question.options ?? []).join('\n')}
          onChange={(text) => onChange({ ...question, options: linesOf(text) })}
        />
      )}
      <details className="disclosure">
        <summary>More settings</summary>
        <div className="form-grid">
          <TextField
            label="Key"
            name={`${at}.key`}
            hint="Name of the answer in notifications, and in titles as ${key}."
            value={key}
            pattern="[A-Za-z0-9_\-]+"
            onChange={(key) => onChange({ ...question, key })}
          />
          {type === 'checkbox' ? (
            <CheckField
              label="Checked at first"
              name={`${at}.default`}
              checked={question.default === true || question.default === 'true'}
              onChange={(checked) => onChange({ ...question, default: checked })}
            />
          ) : (
            <TextField
              optional
              label="Default"
              name={`${at}.default`}
              value={typeof question.default === 'string' ? question.default : ''}
              onChange={(text) => onChange({ ...question, default: text || undefined })}
            />
          )}
          {(type === 'text' || type === 'phone_number' || type === 'email') && (
            <TextField
              optional
              label="Pattern"
              name={`${at}.pattern`}
              hint="A regular expression that answers must match."
              value={question.pattern ?? ''}
              onChange={(text) => onChange({ ...question, pattern: text || undefined })}
            />
          )}
        </div>
      </details>
    </>
  )
}

function QuestionRow({
  question,
  number,
  onChange,
  tools,
}: {
  question: Question
  number: number
  onChange(question: Question): void
  tools: ReactNode
}) {
  const at = `scheduler.additional_fields.${question.key}`
  return (
    <li className="question">
      <div className="split">
        <h3>Question {number}</h3>
        <div className="actions">{tools}</div>
      </div>
      <div className="form-grid">
        <TextField
          label="Question"
          name={`${at}.label`}
          value={question.label}
          maxLength={200}
          onChange={(label) => onChange({ ...question, label })}
        />
        <SelectField
          label="Kind of answer"
          name={`${at}.type`}
          value={question.type}
          options={questionTypes}
          onChange={(type) => onChange({ ...question, type: type as QuestionType })}
        />
      </div>
      <CheckField
        label="Required"
        name={`${at}.required`}
        checked={question.required}
        onChange={(required) => onChange({ ...question, required })}
      />
      <Details at={at} question={question} onChange={onChange} />
    </li>
  )
}

export function QuestionFields({
  questions,
  onChange,
}: {
  questions: readonly Question[]
  onChange(questions: Question[]): void
}) {
  return (
    <fieldset className="field">
      <legend>Questions</legend>
      <span className="hint">Guests always give their name and email address. Add what else you need to know.</span>
      {questions.length > 0 && (
        <ol className="questions">
          {questions.map((question, index) => (
            <QuestionRow
              key={index}
              number={index + 1}
              question={question}
              onChange={(changed) => onChange(questions.map((each, at) => (at === index ? changed : each)))}
              tools={
                <>
                  <Button
                    small
                    kind="plain"
                    changes
                    disabled={index === 0}
                    onClick={() => onChange(moved(questions, index, -1))}
                  >
                    Up<span className="hidden"> question {index + 1}</span>
                  </Button>
                  <Button
                    small
                    kind="plain"
                    changes
                    disabled={index === questions.length - 1}
                    onClick={() => onChange(moved(questions, index, 1))}
                  >
                    Down<span className="hidden"> question {index + 1}</span>
                  </Button>
                  <Button
                    small
                    kind="plain"
                    changes
                    aria-label={`Remove question ${index + 1}`}
                    onClick={() => onChange(questions.filter((_, at) => at !== index))}
                  >
                    <Icon name="cross" />
                  </Button>
                </>
              }
            />
          ))}
        </ol>
      )}
      <div className="actions">
        <Button small changes onClick={() => onChange([...questions, newQuestion(questions)])}>
          Add a question
        </Button>
      </div>
    </fieldset>
  )
}
