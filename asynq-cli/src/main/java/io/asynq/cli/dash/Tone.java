package io.asynq.cli.dash;

import io.asynq.TaskState;
import org.jline.utils.AttributedStyle;

/** What a text is, which decides how it looks. */
enum Tone {

	PLAIN, TITLE, HEAD, FAINT, WARNING, ERROR, CHOSEN, ACTIVE, PENDING, AGGREGATING, SCHEDULED, RETRY, ARCHIVED,
	COMPLETED;

	static Tone of(TaskState state) {
		return (state == TaskState.DEFERRED) ? PLAIN : valueOf(state.name());
	}

	AttributedStyle style(boolean colours) {
		AttributedStyle plain = AttributedStyle.DEFAULT;
		AttributedStyle style = switch (this) {
			case TITLE, WARNING -> plain.bold();
			case HEAD -> plain.underline();
			case ERROR -> plain.bold().inverse();
			case CHOSEN -> plain.inverse();
			default -> plain;
		};
		return !colours ? style : switch (this) {
			case FAINT -> plain.foreground(AttributedStyle.BLACK | AttributedStyle.BRIGHT);
			case WARNING -> plain.bold().foreground(AttributedStyle.YELLOW);
			case ERROR -> plain.bold().foreground(AttributedStyle.WHITE).background(AttributedStyle.RED);
			case ACTIVE -> plain.foreground(AttributedStyle.CYAN);
			case PENDING -> plain.foreground(AttributedStyle.BLUE);
			case AGGREGATING -> plain.foreground(AttributedStyle.MAGENTA);
			case SCHEDULED -> plain.foreground(AttributedStyle.WHITE);
			case RETRY -> plain.foreground(AttributedStyle.YELLOW);
			case ARCHIVED -> plain.foreground(AttributedStyle.RED);
			case COMPLETED -> plain.foreground(AttributedStyle.GREEN);
			default -> style;
		};
	}

}
