package io.asynq.cli.dash;

import java.io.IOException;
import java.util.Locale;

import org.jline.terminal.Attributes;
import org.jline.terminal.KeyEvent;
import org.jline.terminal.KeyParser;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.NonBlockingReader;
import org.jspecify.annotations.Nullable;

/** The terminal that the program was started in, until it gets it back. */
final class TerminalDisplay implements AutoCloseable {

	private static final int ESCAPE = 27;

	/** A key's characters arrive together, also over a slow line. */
	private static final long TOGETHER_MILLIS = 100;

	private static final long MOMENT_MILLIS = 200;

	private final Terminal terminal;

	private final Attributes before;

	private final org.jline.utils.Display display;

	private final boolean colours;

	private volatile Size size;

	private TerminalDisplay(Terminal terminal, boolean colours) {
		this.terminal = terminal;
		this.colours = colours;
		this.display = new org.jline.utils.Display(terminal, true);
		this.before = terminal.enterRawMode();
		terminal.puts(Capability.enter_ca_mode);
		terminal.puts(Capability.cursor_invisible);
		terminal.flush();
		this.size = terminal.getSize();
		this.display.resize(this.size.getRows(), this.size.getColumns());
	}

	static TerminalDisplay open(boolean colours) throws IOException {
		// No native code: nothing to unpack, and no JDK warns
		try {
			Terminal terminal = TerminalBuilder.builder().system(true).provider("exec").dumb(false).build();
			return new TerminalDisplay(terminal, colours);
		}
		catch (IllegalStateException ex) {
			throw new IOException("input and output must both be one", ex);
		}
	}

	/** Waits for a key for a moment. */
	@Nullable Key read() throws IOException {
		int character = this.terminal.reader().read(MOMENT_MILLIS);
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
		int next = this.terminal.reader().peek(TOGETHER_MILLIS);
		if (next != '[' && next != 'O') {
			return Key.of(Key.Name.ESCAPE);
		}
		this.terminal.reader().read();
		// Arrows come as ESC O or ESC [, depending on the keypad's mode
		StringBuilder sequence = new StringBuilder().append((char) ESCAPE).append('[');
		while (true) {
			int character = this.terminal.reader().read(TOGETHER_MILLIS);
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
		return Key.of(switch (event.getType()) {
			case Arrow -> Key.Name.valueOf(event.getArrow().name().toUpperCase(Locale.ROOT));
			case Special -> (event.getSpecial() == KeyEvent.Special.PageUp) ? Key.Name.PAGE_UP
					: (event.getSpecial() == KeyEvent.Special.PageDown) ? Key.Name.PAGE_DOWN : Key.Name.OTHER;
			default -> Key.Name.OTHER;
		});
	}

	void onResize(Runnable resized) {
		this.terminal.handle(Signal.WINCH, (signal) -> {
			this.size = this.terminal.getSize();
			resized.run();
		});
	}

	int width() {
		return Math.max(1, this.size.getColumns());
	}

	int height() {
		return Math.max(1, this.size.getRows());
	}

	void show(Canvas canvas) {
		this.display.resize(canvas.height(), canvas.width());
		this.display.update(canvas.lines((tone) -> tone.style(this.colours)), -1);
	}

	/** Has the next canvas drawn as if nothing was there. */
	void forget() {
		this.display.clear();
	}

	@Override
	public void close() throws IOException {
		this.terminal.puts(Capability.cursor_normal);
		this.terminal.puts(Capability.exit_ca_mode);
		this.terminal.flush();
		this.terminal.setAttributes(this.before);
		this.terminal.close();
	}

}
