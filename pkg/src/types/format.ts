/** A line of a log for people: plain text without a line break or a period at its end. */
export interface EventLine {
  text: string;
  /**
   * `progress`: what happens now. `good`: done, passed or saved. `bad`: failed, refused, or at risk. `question`: the user must answer.
   * `detail`: a short log may leave it out.
   */
  kind: 'progress' | 'good' | 'bad' | 'question' | 'detail';
}
