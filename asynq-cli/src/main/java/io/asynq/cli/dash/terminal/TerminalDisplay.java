package io.asynq.cli.dash.terminal;

import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;

import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedStyle;
import org.jline.utils.InfoCmp.Capability;

/**
 * The terminal that the program was started in, until it gets it back.
 */
public final class TerminalDisplay implements AutoCloseable {

	private final Terminal terminal;

	private final Attributes before;

	private final org.jline.utils.Display display;

	private final Map<Tone, AttributedStyle> looks;

	private volatile Size size;

	private TerminalDisplay(Terminal terminal, boolean colours) {
		this.terminal = terminal;
		this.looks = looks(colours);
		this.display = new org.jline.utils.Display(terminal, true);
		this.before = terminal.enterRawMode();
		terminal.puts(Capability.enter_ca_mode);
		terminal.puts(Capability.cursor_invisible);
		terminal.flush();
		this.size = terminal.getSize();
		this.display.resize(this.size.getRows(), this.size.getColumns());
	}

	/**
	 * Takes the terminal.
	 * @throws IOException if there is none
	 */
	public static TerminalDisplay open(boolean colours) throws IOException {
		// No native code: nothing to unpack, and no JDK warns
		try {
			Terminal terminal = TerminalBuilder.builder().system(true).provider("exec").dumb(false).build();
			return new TerminalDisplay(terminal, colours);
		}
		catch (IllegalStateException ex) {
			throw new IOException("input and output must both be one", ex);
		}
	}

	public KeyReader keys() {
		return new KeyReader(this.terminal.reader());
	}

	/** Calls when the window has another size. */
	public void onResize(Runnable resized) {
		this.terminal.handle(Signal.WINCH, (signal) -> {
			this.size = this.terminal.getSize();
			resized.run();
		});
	}

	public int width() {
		return Math.max(1, this.size.getColumns());
	}

	public int height() {
		return Math.max(1, this.size.getRows());
	}

	public void show(Canvas canvas) {
		this.display.resize(canvas.height(), canvas.width());
		this.display.update(canvas.lines(this.looks::get), -1);
	}

	/** Has the next canvas drawn as if nothing was there. */
	public void forget() {
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

	private static Map<Tone, AttributedStyle> looks(boolean colours) {
		AttributedStyle plain = AttributedStyle.DEFAULT;
		Map<Tone, AttributedStyle> looks = new EnumMap<>(Tone.class);
		for (Tone tone : Tone.values()) {
			looks.put(tone, plain);
		}
		looks.put(Tone.TITLE, plain.bold());
		looks.put(Tone.HEAD, plain.underline());
		looks.put(Tone.WARNING, plain.bold());
		looks.put(Tone.ERROR, plain.bold().inverse());
		looks.put(Tone.CHOSEN, plain.inverse());
		if (colours) {
			looks.put(Tone.FAINT, plain.foreground(AttributedStyle.BLACK | AttributedStyle.BRIGHT));
			looks.put(Tone.WARNING, plain.bold().foreground(AttributedStyle.YELLOW));
			looks.put(Tone.ERROR, plain.bold().foreground(AttributedStyle.WHITE).background(AttributedStyle.RED));
			looks.put(Tone.ACTIVE, plain.foreground(AttributedStyle.CYAN));
			looks.put(Tone.PENDING, plain.foreground(AttributedStyle.BLUE));
			looks.put(Tone.AGGREGATING, plain.foreground(AttributedStyle.MAGENTA));
			looks.put(Tone.SCHEDULED, plain.foreground(AttributedStyle.WHITE));
			looks.put(Tone.RETRY, plain.foreground(AttributedStyle.YELLOW));
			looks.put(Tone.ARCHIVED, plain.foreground(AttributedStyle.RED));
			looks.put(Tone.COMPLETED, plain.foreground(AttributedStyle.GREEN));
		}
		return looks;
	}

}
