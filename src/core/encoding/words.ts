/** The words of a text, with a space between: what a table of names says in few lines stays a type. */
export type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;
