import { render } from 'preact';
import { start } from './start';
import { App } from './ui/App';
import { onPageKey } from './ui/Commands';
import { keepFocus } from './ui/focus';
import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/controls.css';
import './styles/project.css';
import './styles/snapshots.css';
import './styles/thread.css';
import './styles/checks.css';
import './styles/model.css';
import './styles/stories.css';
import './styles/plan.css';
import './styles/shell.css';
import './styles/specs.css';
import './styles/steps.css';

const app = document.getElementById('app')!;
// The skeleton.
app.replaceChildren();
render(<App />, app);
keepFocus(app);
addEventListener('keydown', onPageKey);
// After the first paint: that is done when the second frame begins.
requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(start)));
