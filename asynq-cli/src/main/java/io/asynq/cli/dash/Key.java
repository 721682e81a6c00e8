package io.asynq.cli.dash;

/**
 * A key that was pressed.
 *
 * @param name which
 * @param character the character, for {@link Name#CHARACTER}
 */
record Key(Name name, char character) {

	static Key of(Name name) {
		return new Key(name, '\0');
	}

	static Key of(char character) {
		return new Key(Name.CHARACTER, character);
	}

	/** Keys that the view knows. */
	enum Name {

		CHARACTER, UP, DOWN, LEFT, RIGHT, PAGE_UP, PAGE_DOWN, ENTER, ESCAPE, BACKSPACE, INTERRUPT, REDRAW, END_OF_INPUT,
		OTHER

	}

}
