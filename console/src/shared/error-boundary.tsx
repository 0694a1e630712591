import { Component, type ReactNode } from 'react';
import { Problem } from './problem.js';

interface State {
  readonly error: unknown;
}

/** Contains an error in one part of the page. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override readonly state: State = { error: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <Problem error={error} retry={() => this.setState({ error: undefined })} />;
  }
}
