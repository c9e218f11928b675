import { Component, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { Empty } from "./empty.tsx";

/** What a page that broke leaves behind: a sentence and a way on, never a blank screen. React asks for a class here. */
export class Boundary extends Component<{ readonly children: ReactNode }, { readonly broken: boolean }> {
  override readonly state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <Empty title="This page could not be shown.">
        <p>It may have changed on the server since it was opened.</p>
        <Button className="mt-4" onClick={() => location.reload()}>
          Load it again
        </Button>
      </Empty>
    );
  }
}
