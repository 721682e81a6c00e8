package io.asynq.cli.dash.terminal;

/**
 * A key that was pressed.
 *
 * @param name which
 * @param character the character, for {@link Name#CHARACTER}
 */
public record Key(Name name, char character) {

	public static Key of(Name name) {
		return new Key(name, '\0');
	}

	public static Key of(char character) {
		return new Key(Name.CHARACTER, character);
	}

	/** Keys that the view knows. */
	public enum Name {

		CHARACTER, UP, DOWN, LEFT, RIGHT, PAGE_UP, PAGE_DOWN, ENTER, ESCAPE, BACKSPACE, INTERRUPT, REDRAW, END_OF_INPUT,
		OTHER

	}

}
