import { choiceOf } from '../../task/questions';
import { Icon } from '../Icon';

interface QuestionsProps {
  questions: readonly string[];
  /** The position of the message field. */
  otherwise: 'above' | 'below';
  disabled: boolean;
  /** Called with the question that the user answers with yes. */
  onAnswer(question: string): void;
}

/** Questions of an unclear task. A click on an answer runs the task. */
export function Questions({ questions, otherwise, disabled, onAnswer }: QuestionsProps) {
  const { about, answers } = choiceOf(questions);
  return (
    <fieldset class="questions">
      <legend>{about ? <>What do you mean by {about}?</> : 'What do you mean?'}</legend>
      {answers.map(({ text, question }) => (
        <button key={question} type="button" disabled={disabled} onClick={() => onAnswer(question)}><Icon name="send" /> {text}</button>
      ))}
      <p class="muted">Click an answer to run the task, or write your own answer {otherwise}.</p>
    </fieldset>
  );
}
