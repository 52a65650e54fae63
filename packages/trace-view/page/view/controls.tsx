import { useEffect, useState } from 'preact/hooks';
import type { ActivityEntry, Control, ControlsDocument } from '../../src/page/state.ts';
import type { Source } from '../model/source.ts';
import { Mark } from './marks.tsx';

interface ControlsProps {
  readonly controls: ControlsDocument;
  readonly activity: readonly ActivityEntry[];
  readonly act: Source['act'];
}

/** Buttons that act on the real processes. What they did is told beside them. */
export function Controls({ controls, activity, act }: ControlsProps) {
  const [refused, setRefused] = useState<string | null>(null);
  const press = (control: Control): void => {
    if (control.disabled !== null) return;
    setRefused(null);
    void act(control.action, control.input).then(setRefused);
  };
  // Why something could not be done is no longer true once the buttons are others.
  useEffect(() => setRefused(null), [controls]);
  const last = activity.at(-1);
  return (
    <section class="card controls" aria-labelledby="controls">
      <h2 id="controls">
        Try to break it <small>each button acts on the real processes and files</small>
      </h2>
      <div class="groups">
        {controls.groups.map(({ title, controls: buttons }) => (
          <fieldset key={title}>
            <legend>{title}</legend>
            {buttons.map((control) => (
              <ControlButton key={control.id} control={control} press={press} />
            ))}
          </fieldset>
        ))}
      </div>
      <p class="told">
        {controls.busy !== null && (
          <>
            <Mark kind="wait" /> {controls.busy}
          </>
        )}
        {controls.busy === null && last !== undefined && (
          <>
            <Mark kind={last.outcome === 'done' ? 'good' : 'bad'} /> {last.message}
          </>
        )}
      </p>
      {refused !== null && (
        <p class="told bad" role="alert">
          <Mark kind="bad" /> {refused}
        </p>
      )}
    </section>
  );
}

function ControlButton({
  control,
  press,
}: {
  readonly control: Control;
  readonly press: (control: Control) => void;
}) {
  const { id, label, help, pressed, disabled } = control;
  return (
    <button
      type="button"
      id={`control-${id}`}
      title={disabled ?? help}
      aria-disabled={disabled !== null}
      aria-pressed={pressed ?? undefined}
      onClick={() => press(control)}
    >
      {label}
    </button>
  );
}
