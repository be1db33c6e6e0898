import { choiceOf } from '../../task/questions';
import { Icon } from '../Icon';

interface QuestionsProps {
  questions: readonly string[];
  /** Where the message is written. */
  otherwise: 'above' | 'below';
  disabled: boolean;
  /** Gets the question that was answered with yes. */
  onAnswer(question: string): void;
}

/** What has to be known before the task can begin: a click on an answer goes on with it. */
export function Questions({ questions, otherwise, disabled, onAnswer }: QuestionsProps) {
  const { about, answers } = choiceOf(questions);
  return (
    <fieldset class="questions">
      <legend>{about ? <>What is meant by {about}?</> : 'Which is right?'}</legend>
      {answers.map(({ text, question }) => (
        <button key={question} type="button" disabled={disabled} onClick={() => onAnswer(question)}><Icon name="send" /> {text}</button>
      ))}
      <p class="muted">A click says yes to it and starts the task. Or say it in other words {otherwise}.</p>
    </fieldset>
  );
}
