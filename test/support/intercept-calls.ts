/** Runs in place of a call. `name` is the path of the method, `receipts.add` for example. `call` makes the call. */
type Interceptor = (name: string, call: () => unknown) => unknown;

/** A proxy of a port: the interceptor runs in place of every call of its methods, and of its parts' methods. */
export function interceptCalls<T extends object>(port: T, interceptor: Interceptor, path = ""): T {
  return new Proxy(port, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      const name = `${path}${String(key)}`;
      if (typeof value === "function")
        return (...args: unknown[]) => interceptor(name, () => value.apply(target, args));
      return typeof value === "object" && value !== null ? interceptCalls(value, interceptor, `${name}.`) : value;
    },
  });
}
