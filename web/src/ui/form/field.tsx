// A label, a control, a hint and what is wrong with it. The control gets the ids that tie them together.
import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from "react";
import { classes } from "#web/lib/class-names.ts";

/** To spread on the control. */
interface ControlProps {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
}

interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** What is wrong, if anything. */
  readonly error?: string | undefined;
  readonly hideLabel?: boolean;
  readonly className?: string;
  readonly children: (control: ControlProps) => ReactNode;
}

export function Field({ label, hint, error, hideLabel, className, children }: FieldProps) {
  const id = useId();
  const describedBy = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`]
    .filter(Boolean)
    .join(" ");
  return (
    <div className={className}>
      <label htmlFor={id} className={hideLabel ? "sr-only" : "mb-1 block font-medium text-sm"}>
        {label}
      </label>
      {children({
        id,
        "aria-describedby": describedBy || undefined,
        "aria-invalid": error === undefined ? undefined : true,
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="mt-1 text-soft text-xs">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="mt-1 text-fail text-xs">
          {error}
        </p>
      )}
    </div>
  );
}

const CONTROL = "w-full rounded-md border border-edge bg-card px-3 text-ink aria-invalid:border-fail";

export function TextInput({ className, ...rest }: InputHTMLAttributes<HTMLInputElement>) {
  return <input type="text" dir="auto" {...rest} className={classes(CONTROL, "min-h-11", className)} />;
}

export function TextArea({ className, ...rest }: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return <textarea dir="auto" {...rest} className={classes(CONTROL, "block py-2.5", className)} />;
}

/** The browser's own: it works with every keyboard, phone and screen reader. */
export function Select({ className, ...rest }: SelectHTMLAttributes<HTMLSelectElement>) {
  return <select {...rest} className={classes(CONTROL, "min-h-11 pr-8", className)} />;
}

/** With its label: `children`. */
export function Checkbox({ className, children, ...rest }: Omit<InputHTMLAttributes<HTMLInputElement>, "type">) {
  return (
    <label className={classes("flex min-h-9 cursor-pointer items-center gap-2 text-sm", className)}>
      <input {...rest} type="checkbox" className="size-5 flex-none accent-iron" />
      {children}
    </label>
  );
}
