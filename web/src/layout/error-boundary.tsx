import { Component, type ReactNode } from "react";
import { client } from "#web/api/client.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Button } from "#web/ui/form/button.tsx";

interface State {
  readonly isBroken: boolean;
  /** The user tried again, and the service did not answer. */
  readonly isServiceDown: boolean;
}

/** Shows a message in place of a page that failed to load or to render. React has error boundaries as classes only. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override readonly state: State = { isBroken: false, isServiceDown: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  /** A browser does not fetch a failed module again, so the whole page is loaded again, once the service answers. */
  readonly #tryAgain = () => {
    client.getService().then(
      () => location.reload(),
      () => this.setState({ isServiceDown: true }),
    );
  };

  override render() {
    if (!this.state.isBroken) return this.props.children;
    return (
      <EmptyState title="This page could not be shown.">
        <p role="status">
          {this.state.isServiceDown
            ? "The service does not answer. Try again in a moment."
            : "The service may not have answered, or a new version of the app may have been installed."}
        </p>
        <Button className="mt-4" onClick={this.#tryAgain}>
          Try again
        </Button>
      </EmptyState>
    );
  }
}
