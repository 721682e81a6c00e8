package io.asynq.cli.dash.terminal;

import java.io.IOException;

import org.jline.terminal.KeyEvent;
import org.jline.terminal.KeyParser;
import org.jline.utils.NonBlockingReader;
import org.jspecify.annotations.Nullable;

/**
 * Makes keys of what a terminal sends.
 */
public final class KeyReader {

	private static final int ESCAPE = 27;

	/** A key's characters arrive together, also over a slow line. */
	private static final long TOGETHER_MILLIS = 100;

	private static final long MOMENT_MILLIS = 200;

	private final NonBlockingReader reader;

	public KeyReader(NonBlockingReader reader) {
		this.reader = reader;
	}

	/** Waits for a key for a moment, {@code null} if none comes. */
	public @Nullable Key read() throws IOException {
		int character = this.reader.read(MOMENT_MILLIS);
		return switch (character) {
			case NonBlockingReader.READ_EXPIRED -> null;
			case NonBlockingReader.EOF -> Key.of(Key.Name.END_OF_INPUT);
			case 3 -> Key.of(Key.Name.INTERRUPT);
			case 12 -> Key.of(Key.Name.REDRAW);
			case '\r', '\n' -> Key.of(Key.Name.ENTER);
			case 8, 127 -> Key.of(Key.Name.BACKSPACE);
			case ESCAPE -> escape();
			default -> (character >= ' ') ? Key.of((char) character) : Key.of(Key.Name.OTHER);
		};
	}

	private Key escape() throws IOException {
		int next = this.reader.peek(TOGETHER_MILLIS);
		if (next != '[' && next != 'O') {
			return Key.of(Key.Name.ESCAPE);
		}
		this.reader.read();
		// Arrows come as ESC O or ESC [, depending on the keypad's mode
		StringBuilder sequence = new StringBuilder().append((char) ESCAPE).append('[');
		while (true) {
			int character = this.reader.read(TOGETHER_MILLIS);
			if (character < 0) {
				return Key.of(Key.Name.OTHER);
			}
			sequence.append((char) character);
			if (character >= '@' && character <= '~') {
				return named(KeyParser.parse(sequence.toString()));
			}
		}
	}

	private static Key named(KeyEvent event) {
		if (event.getType() == KeyEvent.Type.Arrow) {
			return Key.of(switch (event.getArrow()) {
				case Up -> Key.Name.UP;
				case Down -> Key.Name.DOWN;
				case Left -> Key.Name.LEFT;
				case Right -> Key.Name.RIGHT;
			});
		}
		if (event.getType() == KeyEvent.Type.Special) {
			return Key.of(switch (event.getSpecial()) {
				case PageUp -> Key.Name.PAGE_UP;
				case PageDown -> Key.Name.PAGE_DOWN;
				default -> Key.Name.OTHER;
			});
		}
		return Key.of(Key.Name.OTHER);
	}

}
