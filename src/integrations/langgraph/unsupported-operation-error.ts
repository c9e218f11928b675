/** The framework asks for something that the service cannot do. A wrong result would be worse. */
export class UnsupportedOperationError extends Error {
  override readonly name = "UnsupportedOperationError";
}
