import { Component, type ReactNode } from "react";
import { client } from "#web/api/client.ts";
import { Empty } from "#web/ui/empty-state.tsx";
import { Button } from "#web/ui/form/button.tsx";

interface State {
  readonly broken: boolean;
  /** It was tried again, and the service did not answer. */
  readonly isDown: boolean;
}

/** What a page that broke leaves behind: a sentence and a way on, never a blank screen. React asks for a class here. */
export class Boundary extends Component<{ readonly children: ReactNode }, State> {
  override readonly state: State = { broken: false, isDown: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  /** A part that could not be loaded is not asked for twice by the browser, so all is loaded again, once it can be. */
  readonly #tryAgain = () => {
    client.getService().then(
      () => location.reload(),
      () => this.setState({ isDown: true }),
    );
  };

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <Empty title="This page could not be shown.">
        <p role="status">
          {this.state.isDown
            ? "The service does not answer. Try again in a moment."
            : "The service may not have answered, or the page may have changed since it was opened."}
        </p>
        <Button className="mt-4" onClick={this.#tryAgain}>
          Try again
        </Button>
      </Empty>
    );
  }
}
