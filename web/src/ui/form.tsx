// A form field: a label, a control, a hint and an error. The control gets the ids that connect them.

import {
  type ComponentProps,
  type FormEvent,
  type InputHTMLAttributes,
  type ReactNode,
  useId,
  useRef,
  useState,
} from "react";
import { classNames } from "#web/lib/strings.ts";
import { Check, Copy, FileUp, type Icon } from "#web/ui/icons.tsx";

interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly hideLabel?: boolean | undefined;
  readonly className?: string | undefined;
}

/** A control gets the ids that connect it with its label, its hint and its error, and must spread them. */
interface ControlProps {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
}

type CustomFieldProps = FieldProps & { readonly children: (control: ControlProps) => ReactNode };

export function Field({ label, hint, error, hideLabel = false, className, children }: CustomFieldProps) {
  const id = useId();
  const describedBy = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`];
  return (
    <div className={className}>
      <label htmlFor={id} className={hideLabel ? "sr-only" : "mb-1 block font-medium text-sm"}>
        {label}
      </label>
      {children({
        id,
        "aria-describedby": describedBy.filter(Boolean).join(" ") || undefined,
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

/** The fields below take what their elements take, and report their text. `look` has the classes of the element. */
type ControlledProps<E extends "input" | "textarea" | "select"> = FieldProps &
  Omit<ComponentProps<E>, "onChange" | "className" | "children"> & {
    readonly look?: string;
    readonly onChange: (value: string) => void;
  };

interface FormProps extends Omit<ComponentProps<"form">, "onSubmit"> {
  readonly onSubmit: (form: HTMLFormElement) => void;
}

/** The page acts on it: the browser sends nothing itself. */
export function Form({ onSubmit, ...rest }: FormProps) {
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    onSubmit(event.currentTarget);
  }
  return <form {...rest} onSubmit={submit} />;
}

function divided<E extends "input" | "textarea" | "select">(props: ControlledProps<E>, classes: string) {
  const { label, hint, error, hideLabel, className, look, onChange, ...rest } = props;
  return {
    field: { label, hint, error, hideLabel, className },
    element: {
      ...rest,
      className: classNames(CONTROL, classes, look),
      onChange: ({ target }: { readonly target: { readonly value: string } }) => onChange(target.value),
    },
  };
}

const CONTROL = "w-full rounded-md border border-edge bg-card px-3 text-ink aria-invalid:border-fail";

/** An input of a field that has more than that. */
export function TextInput({ className, ...rest }: ComponentProps<"input">) {
  return <input type="text" dir="auto" {...rest} className={classNames(CONTROL, "min-h-11", className)} />;
}

export function TextField(props: ControlledProps<"input">) {
  const { field, element } = divided<"input">(props, "min-h-11");
  return <Field {...field}>{(control) => <input type="text" dir="auto" {...control} {...element} />}</Field>;
}

export const SearchField = (props: ControlledProps<"input">) => (
  <TextField {...props} type="search" autoComplete="off" />
);

export function TextArea(props: ControlledProps<"textarea">) {
  const { field, element } = divided<"textarea">(props, "block py-2.5");
  return <Field {...field}>{(control) => <textarea dir="auto" {...control} {...element} />}</Field>;
}

interface SelectProps extends ControlledProps<"select"> {
  readonly options?: readonly (readonly [value: string | number, text: string])[];
  readonly children?: ReactNode;
}

/** The browser's own select works with every keyboard, phone and screen reader. */
export function Select({ options = [], children, ...rest }: SelectProps) {
  const { field, element } = divided<"select">(rest, "min-h-11 text-ellipsis pr-2");
  return (
    <Field {...field}>
      {(control) => (
        <select {...control} {...element}>
          {children}
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export const Checkbox = ({ className, children, ...rest }: Omit<InputHTMLAttributes<HTMLInputElement>, "type">) => (
  <label className={classNames("flex min-h-9 cursor-pointer items-center gap-2 text-sm", className)}>
    <input {...rest} type="checkbox" className="size-5 flex-none accent-iron" />
    {children}
  </label>
);

interface ButtonProps extends ComponentProps<"button"> {
  /** `primary`: the main action of the page. `quiet`: other actions. `plain`: within text and tables. */
  readonly look?: "primary" | "quiet" | "plain";
  /** While the action runs: the button stays focusable and does nothing. */
  readonly busy?: boolean;
  readonly icon?: Icon;
}

const LOOKS = {
  primary: "min-h-11 bg-ink px-5 font-medium text-paper hover:bg-iron aria-disabled:bg-soft",
  quiet: "min-h-11 border border-edge bg-card px-4 hover:bg-well aria-disabled:text-soft",
  plain: "min-h-7 px-1.5 text-link underline decoration-1 underline-offset-4 hover:bg-well aria-disabled:text-soft",
} as const;

export function Button({ look = "quiet", busy = false, type = "button", icon: Icon, className, ...rest }: ButtonProps) {
  const { disabled, onClick, children } = rest;
  return (
    <button
      {...rest}
      type={busy ? "button" : type}
      aria-disabled={busy || disabled || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? undefined : onClick}
      className={classNames("inline-flex items-center justify-center gap-2 rounded-md text-sm", LOOKS[look], className)}
    >
      {Icon && <Icon className="size-4" />}
      {children}
    </button>
  );
}

interface RunButtonProps extends Omit<ButtonProps, "onClick" | "children"> {
  readonly of: { readonly isPending: boolean; readonly mutate: () => void };
  readonly words: readonly [rest: string, running: string];
}

/** The button of an action that takes a while, and says so. One that submits leaves the action to its form. */
export const RunButton = ({ of: { isPending, mutate }, words, type = "button", ...rest }: RunButtonProps) => (
  <Button
    {...rest}
    type={type}
    look={rest.look ?? (type === "submit" ? "primary" : "quiet")}
    busy={isPending || rest.busy === true}
    onClick={type === "submit" ? undefined : () => mutate()}
  >
    {words[isPending ? 1 : 0]}
  </Button>
);

/** Whether more is shown, and the button that says so. */
export function useToggle(more: string, fewer: string): readonly [isOn: boolean, button: ReactNode] {
  const [isOn, setOn] = useState(false);
  const button = (
    <Button look="plain" className="-ml-1.5" aria-expanded={isOn} onClick={() => setOn(!isOn)}>
      {isOn ? fewer : more}
    </Button>
  );
  return [isOn, button];
}

interface CopyButtonProps {
  readonly text: string;
  readonly what: string;
  /** `icon`: beside an id, without a word. */
  readonly look?: "quiet" | "plain" | "icon";
}

/** Shows that the text was copied until the button loses the focus. */
export function CopyButton({ text, what, look = "plain" }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const Mark = copied ? Check : Copy;
  const label = `Copy ${what}`;
  return (
    <Button
      look={look === "quiet" ? "quiet" : "plain"}
      className={classNames("flex-none no-underline", look === "icon" && "size-6 min-h-6 px-0! text-soft!")}
      aria-label={label}
      title={look === "icon" ? label : undefined}
      onBlur={() => setCopied(false)}
      onClick={() => void navigator.clipboard?.writeText(text).then(() => setCopied(true))}
    >
      <Mark className={look === "icon" ? "size-3.5" : "size-4"} />
      {look === "quiet" && label}
      {look === "plain" && "Copy"}
      <span role="status" className="sr-only">
        {copied ? `Copied ${what}.` : ""}
      </span>
    </Button>
  );
}

interface FileButtonProps {
  readonly label: string;
  readonly accept: string;
  readonly onFile: (file: File) => void;
  readonly children: string;
}

export function FileButton({ label, accept, onFile, children }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button icon={FileUp} onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept}
        aria-label={label}
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) onFile(file);
          // The browser reports the same file again only after a reset.
          target.value = "";
        }}
      />
    </>
  );
}
