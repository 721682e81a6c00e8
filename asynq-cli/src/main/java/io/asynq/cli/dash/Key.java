package io.asynq.cli.dash;

record Key(Name name, char character) {

	static Key of(Name name) {
		return new Key(name, '\0');
	}

	static Key of(char character) {
		return new Key(Name.CHARACTER, character);
	}

	enum Name {

		CHARACTER, UP, DOWN, LEFT, RIGHT, PAGE_UP, PAGE_DOWN, ENTER, ESCAPE, BACKSPACE, INTERRUPT, REDRAW, END_OF_INPUT,
		OTHER

	}

}
