// A form field: a label, a control, a hint and an error. The control gets the ids that connect them.
import {
  type ComponentProps,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from "react";
import { classNames } from "#web/lib/class-names.ts";

/** The control must spread these. */
interface ControlProps {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
}

interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
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

export function TextInput({ className, ...rest }: ComponentProps<"input">) {
  return <input type="text" dir="auto" {...rest} className={classNames(CONTROL, "min-h-11", className)} />;
}

export function TextArea({ className, ...rest }: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return <textarea dir="auto" {...rest} className={classNames(CONTROL, "block py-2.5", className)} />;
}

/** The browser's own select works with every keyboard, phone and screen reader. */
export function Select({ className, ...rest }: SelectHTMLAttributes<HTMLSelectElement>) {
  return <select {...rest} className={classNames(CONTROL, "min-h-11 text-ellipsis pr-2", className)} />;
}

/** `children` is the label. */
export function Checkbox({ className, children, ...rest }: Omit<InputHTMLAttributes<HTMLInputElement>, "type">) {
  return (
    <label className={classNames("flex min-h-9 cursor-pointer items-center gap-2 text-sm", className)}>
      <input {...rest} type="checkbox" className="size-5 flex-none accent-iron" />
      {children}
    </label>
  );
}
