import './buffer';
import { render } from 'preact';
import { start } from './start';
import { App } from './ui/App';
import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/controls.css';
import './styles/project.css';
import './styles/snapshots.css';
import './styles/run.css';
import './styles/task.css';
import './styles/timeline.css';
import './styles/plan.css';
import './styles/shell.css';
import './styles/specs.css';

render(<App />, document.getElementById('app')!);
void start();
